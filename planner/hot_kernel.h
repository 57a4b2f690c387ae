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

// One dimension of a block. Lengths are whole numbers, exact below 2^50: the half added or taken
// before each product with a reciprocal outweighs that product's rounding.
struct Axis {
  double block = 1;
  double inv_block = 1;
  double tile = 1;
  double inv_tile = 1;
  double edge = 0;
  double inv_cost = 1;  // 1 / (block + edge)

  Axis() = default;
  Axis(int block_size, int tile_size, double edge_cost)
      : block(std::max(block_size, 1)),
        inv_block(1 / block),
        tile(std::clamp(tile_size, 1, std::max(block_size, 1))),
        inv_tile(1 / tile),
        edge(std::max(edge_cost, 0.0)),
        inv_cost(1 / (block + edge)) {}

  // Whole blocks in a length, and blocks needed to cover it.
  double full(double length) const { return floor_of((length + 0.5) * inv_block); }
  double cover(double length) const { return floor_of((length - 0.5) * inv_block) + 1; }
  // Time of a block cut to 0 < length <= block, as a share of the full block's.
  double share(double length) const {
    const double rounded = (floor_of((length - 0.5) * inv_tile) + 1) * tile;
    return rounded >= block ? 1.0 : (rounded + edge) * inv_cost;
  }
  // Sum of the shares of the blocks that cover a length.
  double sum(double length) const {
    const double whole = full(length);
    const double rest = length - whole * block;
    return rest > 0 ? whole + share(rest) : whole;
  }
  // Share of the largest block in a length.
  double largest(double length) const { return length >= block ? 1.0 : share(length); }
  // The least time per unit length that blocks within a length can reach.
  double least_rate(double length) const {
    const double extent = std::min(length, block);
    return (std::max(extent, tile) + edge) * inv_cost / extent;
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
  // Sum of a rectangle's task times over the blocks that a unit runs at once, for a full block's
  // time of `ns`: the time one unit needs when it never waits.
  double work(double rows, double cols, double ns) const {
    return m.sum(rows) * n.sum(cols) * ns * inv_resident;
  }
};

}  // namespace mikpoly
