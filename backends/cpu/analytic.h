// Costs of block kernels without measurement: what an untuned machine plans with.
#pragma once

#include <vector>

#include "backends/cpu/candidates.h"
#include "planner/device_model.h"
#include "planner/micro_kernel.h"

namespace mikpoly::cpu {

// A device of `units` threads with the machine's cache sizes and typical bandwidths.
DeviceModel analytic_device(int units, const CacheSizes& caches);

// Fills the costs of describe(kernel, kind, formats) by counting instructions and bytes.
void analytic_cost(const BlockKernel& kernel, Kind kind, const Formats& formats, MicroKernel* m);

// slice_ns alone, from the bandwidth of the device's first memory level.
void analytic_slice_cost(const BlockKernel& kernel, const DeviceModel& device, MicroKernel* m);

}  // namespace mikpoly::cpu
