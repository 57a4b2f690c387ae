#include "backends/cpu/selection.h"

#include <algorithm>

#include "kernels/cpu/parts.h"
#include "planner/cost_model.h"

namespace mikpoly::cpu {
namespace {

// SplitMix64 (Steele, Lea, Flood, OOPSLA '14): the same numbers on every platform.
uint64_t next_random(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// Gain in summed performance when row joins the kept ones.
double gain(const std::vector<double>& row, const std::vector<double>& kept) {
  double sum = 0;
  for (size_t s = 0; s < row.size(); ++s) sum += std::max(0.0, row[s] - kept[s]);
  return sum;
}

}  // namespace

std::vector<Shape> synthetic_shapes(int count, uint64_t seed) {
  std::vector<Shape> shapes;
  while (static_cast<int>(shapes.size()) < count) {
    const auto draw = [&seed] { return int64_t{1} << (next_random(&seed) % 13); };
    const Shape shape{draw(), draw(), draw()};
    if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
  }
  return shapes;
}

double single_region_ns(const MicroKernel& kernel, const Shape& shape, const DeviceModel& device) {
  const double whole = task_ns(kernel, std::min<int64_t>(kernel.um, shape.m),
                               std::min<int64_t>(kernel.un, shape.n), shape.k);
  const double blocks = static_cast<double>(ceil_div(shape.m, kernel.um)) *
                        static_cast<double>(ceil_div(shape.n, kernel.un));
  const double serial = whole * blocks;
  if (device.units == 1) return serial;
  const double waves = static_cast<double>(ceil_div(static_cast<int64_t>(blocks), device.units));
  const double launch = device.launch_ns + (device.units - 1) * device.launch_ns_per_unit;
  return std::min(serial, whole * waves + launch);
}

std::vector<int> select_kernels(const std::vector<MicroKernel>& kernels,
                                const std::vector<Shape>& shapes, const DeviceModel& device,
                                int keep) {
  std::vector<double> best(shapes.size(), 1e300);
  std::vector<std::vector<double>> speed(kernels.size(), std::vector<double>(shapes.size()));
  for (size_t i = 0; i < kernels.size(); ++i) {
    for (size_t s = 0; s < shapes.size(); ++s) {
      speed[i][s] = single_region_ns(kernels[i], shapes[s], device);
      best[s] = std::min(best[s], speed[i][s]);
    }
  }
  for (auto& row : speed) {
    for (size_t s = 0; s < shapes.size(); ++s) row[s] = best[s] / row[s];
  }
  std::vector<int> chosen;
  std::vector<double> kept(shapes.size(), 0.0);
  const double least = 1e-3 * static_cast<double>(shapes.size()) / 10;
  while (static_cast<int>(chosen.size()) < keep) {
    int pick = -1;
    double most = least;
    for (size_t i = 0; i < kernels.size(); ++i) {
      const double g = gain(speed[i], kept);
      if (g > most) {
        most = g;
        pick = static_cast<int>(i);
      }
    }
    if (pick < 0) break;
    chosen.push_back(pick);
    const auto& row = speed[static_cast<size_t>(pick)];
    for (size_t s = 0; s < kept.size(); ++s) kept[s] = std::max(kept[s], row[s]);
  }
  return chosen;
}

}  // namespace mikpoly::cpu
