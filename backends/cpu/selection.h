// Which micro-kernels a catalog keeps: the ranking of the paper's offline stage.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/device_model.h"
#include "planner/micro_kernel.h"
#include "planner/shape.h"

namespace mikpoly::cpu {

// Synthetic shapes with dimensions 2^i, i = 0..12, drawn with the seed; distinct.
std::vector<Shape> synthetic_shapes(int count, uint64_t seed);

// Time of a shape as one region of the kernel on all units, as the ranking counts it.
double single_region_ns(const MicroKernel& kernel, const Shape& shape, const DeviceModel& device);

// Indices of at most `keep` kernels, best first. The first has the best mean performance (relative
// to the best kernel of each shape) over the shapes; each further one raises the mean of the best
// kept most. Ends early where no kernel adds more than a thousandth.
std::vector<int> select_kernels(const std::vector<MicroKernel>& kernels,
                                const std::vector<Shape>& shapes, const DeviceModel& device,
                                int keep);

}  // namespace mikpoly::cpu
