// Invented devices and catalogs for tests of the planner: no hardware, fixed numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "planner/catalog.h"
#include "planner/shape.h"

namespace mikpoly::testing {

// Base plus slope from the first step on.
inline CostCurve straight_line(double base_ns, double ns_per_step) {
  CostCurve curve;
  curve.count = 1;
  curve.pieces[0] = {0, base_ns, ns_per_step};
  return curve;
}

inline std::string block_name(int um, int un, int uk) {
  return std::to_string(um) + "x" + std::to_string(un) + "x" + std::to_string(uk);
}

// A kernel that pads every block: the accelerator kind.
inline MicroKernel padded_kernel(int um, int un, int uk, double base_ns, double ns_per_step) {
  MicroKernel kernel;
  kernel.name = block_name(um, un, uk);
  kernel.um = kernel.tile_m = um;
  kernel.un = kernel.tile_n = un;
  kernel.uk = kernel.tile_k = uk;
  kernel.task_time = straight_line(base_ns, ns_per_step);
  return kernel;
}

// Time of a K step of a block: at the peak (multiply-adds per ns), and longer where a small block
// waits for operands. An edge of `half` doubles it.
inline double step_ns(int um, int un, int uk, double peak_per_ns, double half) {
  const double work = static_cast<double>(um) * un * uk;
  return work / peak_per_ns * (1 + half / um) * (1 + half / un);
}

// Two cores with private caches and a shared one: exact rows, columns in vectors.
inline DeviceModel two_core_device() {
  DeviceModel device;
  device.units = 2;
  device.launch_ns = 1500;
  device.launch_ns_per_unit = 300;
  device.level_count = 3;
  device.levels[0] = {.bytes = 2 << 20, .bytes_per_ns = 240, .unit_bytes_per_ns = 120};
  device.levels[1] = {.bytes = 32 << 20, .bytes_per_ns = 90, .unit_bytes_per_ns = 50};
  device.levels[2] = {.bytes = 0, .bytes_per_ns = 30, .unit_bytes_per_ns = 18};
  return device;
}

inline MicroKernel vector_kernel(int um, int un, int uk) {
  MicroKernel kernel = padded_kernel(um, un, uk, 20 + um * un * 0.02, step_ns(um, un, uk, 60, 6));
  kernel.tile_m = 1;
  kernel.tile_n = 16;
  kernel.tile_k = 1;
  kernel.edge_m = um * 0.06;
  kernel.edge_n = un * 0.03;
  kernel.max_k_slices = 8;
  kernel.slice_ns = um * un * 0.05;
  kernel.slice_bytes = int64_t{4} * um * un;
  return kernel;
}

// 132 units that always start together, a shared cache and device memory; blocks are padded.
inline DeviceModel many_unit_device(int units = 132) {
  DeviceModel device;
  device.units = device.min_units = units;
  device.launch_ns = 3000;
  device.level_count = 2;
  device.levels[0] = {.bytes = 50 << 20, .bytes_per_ns = 5500, .unit_bytes_per_ns = 60};
  device.levels[1] = {.bytes = 0, .bytes_per_ns = 3300, .unit_bytes_per_ns = 50};
  return device;
}

inline MicroKernel block_kernel(int um, int un, int uk) {
  MicroKernel kernel =
      padded_kernel(um, un, uk, 700 + um * un * 0.03, 20 + step_ns(um, un, uk, 3500, 24));
  kernel.max_k_slices = 32;
  kernel.slice_ns = 300 + um * un * 0.05;
  kernel.slice_bytes = int64_t{4} * um * un;
  return kernel;
}

// The sizes a tuner could have kept: `count` different blocks, drawn with a fixed seed.
inline std::vector<MicroKernel> drawn_kernels(int count, MicroKernel (*make)(int, int, int),
                                              const std::vector<int>& ms,
                                              const std::vector<int>& ns,
                                              const std::vector<int>& ks, uint32_t seed) {
  std::vector<MicroKernel> all;
  for (int um : ms) {
    for (int un : ns) {
      for (int uk : ks) all.push_back(make(um, un, uk));
    }
  }
  std::mt19937 random(seed);
  // Not std::shuffle: its draws differ between standard libraries, golden plans must not.
  for (size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random() % i]);
  all.resize(std::min(all.size(), static_cast<size_t>(count)));
  return all;
}

inline Catalog two_core_catalog(int count = 40, uint32_t seed = 1) {
  return Catalog(drawn_kernels(count, vector_kernel, {4, 8, 12, 16, 24, 48, 96, 192},
                               {16, 32, 48, 64, 96, 128, 256}, {64, 256}, seed),
                 two_core_device(), {4, 4, 4});
}

inline Catalog many_unit_catalog(int count = 40, uint32_t seed = 1) {
  return Catalog(drawn_kernels(count, block_kernel, {16, 32, 64, 96, 128, 192, 256},
                               {16, 32, 64, 96, 128, 192, 256}, {32, 64}, seed),
                 many_unit_device(), {2, 2, 2});
}

// Nothing regular: any tile, residency, edge cost, curve (also ones that bend upwards or jump).
inline MicroKernel odd_kernel(std::mt19937* random, int index) {
  const auto draw = [random](int least, int most) {
    return least + static_cast<int>((*random)() % static_cast<uint32_t>(most - least + 1));
  };
  const int tile_m = draw(1, 30);
  const int tile_n = draw(1, 30);
  MicroKernel kernel = padded_kernel(tile_m * draw(1, 90 / tile_m), tile_n * draw(1, 90 / tile_n),
                                     draw(1, 70), 0, 0);
  kernel.name = "odd" + std::to_string(index);
  kernel.tile_m = tile_m;
  kernel.tile_n = tile_n;
  kernel.tile_k = draw(1, kernel.uk);
  kernel.edge_m = draw(0, 8) * 0.5;
  kernel.edge_n = draw(0, 8) * 0.5;
  kernel.max_k_slices = draw(1, 6);
  kernel.slice_ns = draw(0, 200);
  kernel.slice_bytes = draw(0, 1000);
  kernel.resident_blocks = draw(1, 3);
  kernel.task_time.count = draw(1, CostCurve::kMaxPieces);
  double from = 0;
  for (int i = 0; i < kernel.task_time.count; ++i, from += draw(1, 20)) {
    kernel.task_time.pieces[i] = {from, draw(0, 300) * 1.0,
                                  kernel.um * kernel.un * draw(1, 9) * 0.01};
  }
  return kernel;
}

inline Catalog odd_catalog(int count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<MicroKernel> kernels;
  for (int i = 0; i < count; ++i) kernels.push_back(odd_kernel(&random, i));
  DeviceModel device = two_core_device();
  device.units = 1 + static_cast<int>(random() % 20);
  return Catalog(std::move(kernels), device, {1, 2, 8});
}

// Log-uniform dimensions in [1, most].
inline std::vector<Shape> random_shapes(int count, double most, uint32_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> exponent(0, std::log2(most));
  const auto draw = [&] { return static_cast<int64_t>(std::exp2(exponent(random))); };
  std::vector<Shape> shapes(static_cast<size_t>(count));
  for (Shape& shape : shapes) {
    shape.m = draw();
    shape.n = draw();
    shape.k = draw();
  }
  return shapes;
}

}  // namespace mikpoly::testing
