#include "backends/cpu/analytic.h"

#include <algorithm>
#include <cstring>

namespace mikpoly::cpu {
namespace {

// Cycles and bytes of the cores this library is meant for: two vector FMA and two vector loads a
// cycle with a latency of four (Intel since Skylake-SP, AMD Zen 2 to 5; vendors' optimisation
// guides). Absolute speed does not matter to a choice between kernels, only its ratio to launch_ns.
constexpr double kNsPerCycle = 1.0 / 3.5;
constexpr double kFmaPerCycle = 2.0;
constexpr double kLoadsPerCycle = 2.0;
constexpr double kFmaLatency = 4.0;
constexpr double kTileCallCycles = 25.0;      // call, mask and loop set-up of a register tile
constexpr double kBlockCycles = 150.0;        // hand-out and set-up of a block
constexpr double kStoreCycles = 1.5;          // C read, scaled and written, a vector
constexpr double kCopyRowCycles = 2.0;        // straight copy, a vector
constexpr double kTransposeCycles = 4.0;      // transposing copy, a vector
constexpr double kConvertCycles = 3.0;        // a copy that converts or interleaves, a vector more
constexpr double kCacheBytesPerCycle = 20.0;  // streamed operand from beyond L2, one core
constexpr double kReducePasses = 3.0;  // a partial sum is written, read, and added into another

constexpr int kWays = 9;              // rows that may alias beside B in a cache of 12 ways
constexpr double kAliasFactor = 1.2;  // 1024^3, 14 rows against 9

struct TileCycles {
  double step;  // one element of K
  double call;  // everything else
};

TileCycles tile_cycles(const BlockKernel& k, Kind kind, const KernelSet& set) {
  const double rows = k.tile_rows;
  const double vectors = k.tile_vectors;
  const double accumulators = rows * vectors;
  double step =
      std::max({accumulators / kFmaPerCycle, (rows + vectors) / kLoadsPerCycle, kFmaLatency});
  double call = kTileCallCycles + accumulators * kStoreCycles;
  if (k.b ==
      BSource::kDot) {  // a step of the tile covers `lanes` of K; lanes are summed at the end
    step /= set.lanes;
    call = kTileCallCycles + accumulators * 12.0;
  }
  const bool a_aliased = kind.a == ALayout::kAlongKAliased && k.a == ASource::kDirect;
  const bool b_aliased = kind.b == BLayout::kRowsAliased && k.b == BSource::kDirect;
  if (k.b != BSource::kDot && ((a_aliased && k.tile_rows > kWays) || b_aliased)) {
    step *= kAliasFactor;
  }
  return {step / set.group, call};
}

double copy_cycles(const KernelSet& set, bool in_place) {
  return kTransposeCycles + (set.group > 1 || !in_place ? kConvertCycles * set.group : 0.0);
}

}  // namespace

DeviceModel analytic_device(int units, const CacheSizes& caches) {
  DeviceModel d;
  d.units = units;
  d.launch_ns = 200;            // plan execution and hand-out
  d.launch_ns_per_unit = 1200;  // waking and joining one OpenMP thread that still spins
  d.levels[0] = {caches.l3, 30.0 * units, 40.0};
  d.levels[1] = {0, std::min(200.0, 16.0 * units), 16.0};
  d.level_count = 2;
  return d;
}

void analytic_cost(const BlockKernel& k, Kind kind, const Formats& f, MicroKernel* m) {
  const KernelSet& set = *f.set;
  const TileCycles tile = tile_cycles(k, kind, set);
  const int cols = tile_cols(k, set);
  const double row_tiles = static_cast<double>(k.um) / k.tile_rows;
  const double panels = static_cast<double>(k.un) / cols;
  const double compute = row_tiles * panels * (tile.step * k.uk + tile.call);

  // What grows with the columns only: copying B, or streaming it past too few rows to hide it.
  const double b_vectors = static_cast<double>(k.un) / set.lanes * k.uk / set.group;
  const double b_bytes = static_cast<double>(f.b_bytes) * k.un * k.uk;
  double by_columns = 0.15 * b_bytes / kCacheBytesPerCycle;
  if (k.b == BSource::kCopied) by_columns += b_vectors * copy_cycles(set, f.b_in_place);
  if (k.b == BSource::kDirect) by_columns += b_vectors * 0.5;  // a page a row of K
  // What grows with the rows only: copying A, reading it from L2 once a panel.
  const double a_bytes = static_cast<double>(f.a_bytes) * k.um * k.uk;
  double by_rows = 0.15 * a_bytes / kCacheBytesPerCycle;
  if (k.a == ASource::kCopied) {
    by_rows +=
        static_cast<double>(k.um) / set.lanes * k.uk / set.group * copy_cycles(set, f.a_in_place);
  }
  const double stream = (b_bytes + a_bytes) / kCacheBytesPerCycle;
  const double step = std::max(compute + by_columns + by_rows, stream);

  m->task_time.count = 1;
  m->task_time.pieces[0] = {0, kBlockCycles * kNsPerCycle, step * kNsPerCycle};
  const double bound = std::max(0.0, stream - compute);
  m->edge_m = k.um * (by_columns + bound) / (compute + by_rows);
  m->edge_n = k.un * by_rows / (compute + by_columns);
  m->slice_ns = kReducePasses * 4.0 * k.um * k.un / kCacheBytesPerCycle * kNsPerCycle;
}

void analytic_slice_cost(const BlockKernel& k, const DeviceModel& device, MicroKernel* m) {
  const double rate = device.levels[0].unit_bytes_per_ns;
  // Threads meet once more before the sums are added up.
  m->slice_ns = device.launch_ns_per_unit;
  if (rate > 0) m->slice_ns += kReducePasses * 4.0 * k.um * k.un / rate;
}

}  // namespace mikpoly::cpu
