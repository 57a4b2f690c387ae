// The machine as the planner sees it: H = (units, memory levels, launch cost). Plain data.
#pragma once

#include <array>
#include <cstdint>

namespace mikpoly {

// A memory that all units share, or the sum of their private ones.
struct MemoryLevel {
  int64_t bytes = 0;             // capacity; 0 means unlimited (the outermost level)
  double bytes_per_ns = 0;       // bandwidth that all units together can draw from it
  double unit_bytes_per_ns = 0;  // what one unit alone can draw
};

struct DeviceModel {
  static constexpr int kMaxLevels = 4;
  int units = 1;      // processing engines (cores, SMs, CUs)
  int min_units = 1;  // a plan may use any count in [min_units, units]; a GPU sets both alike
  // Cost of starting and joining a plan on u units: launch_ns + (u - 1) * launch_ns_per_unit, the
  // second term also covering the parallel section itself.
  double launch_ns = 0;
  double launch_ns_per_unit = 0;
  std::array<MemoryLevel, kMaxLevels> levels{};  // innermost first
  int level_count = 0;
};

}  // namespace mikpoly
