#include "backends/cpu/selection.h"

#include <gtest/gtest.h>

#include <set>

#include "planner/cost_model.h"

namespace mikpoly::cpu {
namespace {

MicroKernel kernel(int um, int un, double ns_per_step, double edge_m = 0) {
  MicroKernel k;
  k.name = "k" + std::to_string(um) + "x" + std::to_string(un) + "_" + std::to_string(edge_m);
  k.um = um;
  k.un = un;
  k.uk = 64;
  k.edge_m = edge_m;
  k.task_time.count = 1;
  k.task_time.pieces[0] = {0, 10, ns_per_step};
  return k;
}

TEST(SelectionTest, SyntheticShapesAreDistinctPowersOfTwoAndFixedByTheSeed) {
  const std::vector<Shape> shapes = synthetic_shapes(100, 7);
  ASSERT_EQ(shapes.size(), 100U);
  EXPECT_EQ(shapes, synthetic_shapes(100, 7));
  EXPECT_NE(shapes, synthetic_shapes(100, 8));
  std::set<std::tuple<int64_t, int64_t, int64_t>> seen;
  for (const Shape& s : shapes) {
    EXPECT_TRUE(seen.insert({s.m, s.n, s.k}).second);
    for (const int64_t size : {s.m, s.n, s.k}) {
      EXPECT_EQ(size & (size - 1), 0);
      EXPECT_LE(size, 4096);
      EXPECT_GE(size, 1);
    }
  }
}

TEST(SelectionTest, KeepsWhatIsBestSomewhereAndDropsTheDominated) {
  DeviceModel device;
  device.units = 2;
  // The second equals the first but is slower everywhere; the third is for few rows.
  const std::vector<MicroKernel> kernels = {kernel(64, 64, 1000, 8), kernel(64, 64, 1500, 8),
                                            kernel(4, 64, 80)};
  const std::vector<int> kept = select_kernels(kernels, synthetic_shapes(60, 1), device, 40);
  EXPECT_EQ(kept, (std::vector<int>{0, 2}));
}

TEST(SelectionTest, KeepsNoMoreThanAsked) {
  DeviceModel device;
  std::vector<MicroKernel> kernels;
  for (int um = 1; um <= 64; um *= 2) {
    kernels.push_back(kernel(um, 64, um * 15.0 + 5));
    kernels.back().tile_m = um;  // pads, so that each is best for some number of rows
  }
  EXPECT_EQ(select_kernels(kernels, synthetic_shapes(60, 1), device, 2).size(), 2U);
}

TEST(SelectionTest, ASingleRegionTakesWholeWavesOrRunsSerially) {
  DeviceModel device;
  device.units = 2;
  device.launch_ns = 5;
  device.launch_ns_per_unit = 95;
  const MicroKernel k = kernel(64, 64, 1000);
  const double task = task_ns(k, 64, 64, 64);
  EXPECT_DOUBLE_EQ(single_region_ns(k, {64, 64 * 3, 64}, device), 2 * task + 100);
  EXPECT_DOUBLE_EQ(single_region_ns(k, {64, 64, 64}, device), task);
}

}  // namespace
}  // namespace mikpoly::cpu
