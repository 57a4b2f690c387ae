// A micro-kernel as the search reads it: doubles only, reciprocals in place of divisors, so that a
// task count or cost takes neither a division nor a risk of integer overflow.
#pragma once

#include <algorithm>
#include <cstdint>

#include "planner/micro_kernel.h"

namespace mikpoly {

// Floor of a non-negative value. The conversion is one instruction where std::floor is a call on
// the baseline x86-64; from 2^52 on a double has no fraction left.
inline double floor_of(double value) {
  constexpr double kNoFraction = 4503599627370496.0;
  return value < kNoFraction ? static_cast<double>(static_cast<int64_t>(value)) : value;
}

inline double ceil_of(double value) {
  const double whole = floor_of(value);
  return whole < value ? whole + 1 : whole;
}

// How blocks cover a length: as few as can, of nearly equal size in whole tiles; so there are at
// most two sizes, a tile apart. Shares are of a full block's time.
struct Fit {
  double big = 0;  // blocks of the larger size; at least one
  double big_share = 0;
  double small = 0;
  double small_share = 0;

  double count() const { return big + small; }
  double sum() const { return big * big_share + small * small_share; }  // in full blocks' time
  double largest() const { return big_share; }
};

// A rectangle's blocks: both dimensions' fits.
struct Grid {
  Fit m;
  Fit n;

  double blocks() const { return m.count() * n.count(); }
  double sum() const { return m.sum() * n.sum(); }
  double largest() const { return m.largest() * n.largest(); }
};

// One dimension of a block. Lengths are whole numbers, exact below 2^50: the half added or taken
// before each product with a reciprocal outweighs that product's rounding.
struct Axis {
  double block = 1;
  double inv_block = 1;
  double tile = 1;
  double inv_tile = 1;
  double edge = 0;
  double inv_cost = 1;  // 1 / (block + edge)
  CostCurve shares;     // instead of the edge where not empty

  Axis() = default;
  Axis(int block_size, int tile_size, double edge_cost, const CostCurve& share_curve = {})
      : block(std::max(block_size, 1)),
        inv_block(1 / block),
        tile(std::clamp(tile_size, 1, std::max(block_size, 1))),
        inv_tile(1 / tile),
        edge(std::max(edge_cost, 0.0)),
        inv_cost(1 / (block + edge)),
        shares(share_curve) {}

  // Whole blocks in a length, and blocks needed to cover it.
  double full(double length) const { return floor_of((length + 0.5) * inv_block); }
  double cover(double length) const { return floor_of((length - 0.5) * inv_block) + 1; }
  // Time of a block cut to 0 < length <= block, as a share of the full block's.
  double share(double length) const {
    const double rounded = (floor_of((length - 0.5) * inv_tile) + 1) * tile;
    return rounded >= block ? 1.0 : share_of(rounded);
  }
  // Of an extent that no longer is rounded.
  double share_of(double extent) const {
    return shares.count == 0 ? (extent + edge) * inv_cost : shares.at(extent);
  }
  Fit fit(double length) const {
    const double blocks = cover(length);
    if (tile == block) return {blocks, 1, 0, 0};
    if (blocks == 1) return {1, share(length), 0, 0};
    const double tiles = floor_of((length - 0.5) * inv_tile) + 1;
    const double fewer = floor_of((tiles + 0.5) / blocks);
    const double bigger = tiles - fewer * blocks;
    if (bigger <= 0) return {blocks, share_of_tiles(fewer), 0, 0};
    return {bigger, share_of_tiles(fewer + 1), blocks - bigger, share_of_tiles(fewer)};
  }
  double share_of_tiles(double tiles) const {
    return tiles * tile >= block ? 1.0 : share_of(tiles * tile);
  }
  // The least time per unit length that blocks within a length, of the given reciprocal, can reach.
  double least_rate(double length, double inv_length) const {
    return share_of(std::max(std::min(length, block), tile)) * std::max(inv_length, inv_block);
  }
};

struct HotKernel {
  Axis m;
  Axis n;
  double uk = 1;
  double inv_uk = 1;
  double tile_k = 1;
  double inv_tile_k = 1;
  double slice_ns = 0;
  double max_k_slices = 1;
  double resident = 1;
  double inv_resident = 1;
  double least_ns_per_step = 0;  // infimum of task_time.at(x) / x
  double rate = 0;               // ns per output and unit of depth on one unit, as K grows
  CostCurve curve;
  KernelId id = 0;

  HotKernel() = default;
  explicit HotKernel(const MicroKernel& kernel, KernelId kernel_id = 0);

  // K steps of a depth; a depth of zero counts as one step.
  double steps(double depth) const {
    if (depth <= 0) return 1;
    return (floor_of((depth - 0.5) * inv_tile_k) + 1) * tile_k * inv_uk;
  }
  // Time of a full block's task when the depth is cut into so many slices: all are charged as the
  // longest of them.
  double block_ns(double depth, double slices) const {
    if (slices <= 1) return curve.at(steps(depth));
    const double longest = floor_of((depth - 0.5) / slices) + 1;
    return curve.at(steps(longest)) + slice_ns;
  }
  Grid grid(double rows, double cols) const { return {m.fit(rows), n.fit(cols)}; }
};

}  // namespace mikpoly
