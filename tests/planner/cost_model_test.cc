#include "planner/cost_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>
#include <vector>

#include "planner/task_list.h"
#include "tests/support/fake_device.h"
#include "tests/support/plan_checks.h"

namespace mikpoly {
namespace {

using testing::padded_kernel;

Plan whole(const Shape& shape, const Catalog& catalog, int units, int k_slices = 1) {
  const std::string line = "I " + std::to_string(shape.m) + 'x' + std::to_string(shape.n) + 'x' +
                           std::to_string(shape.k) + " units=" + std::to_string(units) +
                           " cost=0 [0,0 " + std::to_string(shape.m) + 'x' +
                           std::to_string(shape.n) + " k=" + std::to_string(k_slices) + ' ' +
                           catalog.kernel(0).name + ']';
  Plan plan;
  EXPECT_TRUE(parse_plan(line, catalog, &plan)) << line;
  return plan;
}

TEST(TaskTime, FollowsTheKernelsComments) {
  MicroKernel kernel = padded_kernel(32, 16, 64, 100, 10);
  EXPECT_EQ(task_ns(kernel, 32, 16, 128), 120);
  EXPECT_EQ(task_ns(kernel, 1, 1, 65), 120);  // padded in all three dimensions
  kernel.tile_m = kernel.tile_n = kernel.tile_k = 1;
  EXPECT_NEAR(task_ns(kernel, 16, 4, 32), (100 + 5) / 8.0, 1e-12);
  kernel.edge_m = 32;
  EXPECT_NEAR(task_ns(kernel, 16, 16, 64), 110 * 48 / 64.0, 1e-12);
  EXPECT_EQ(task_ns(kernel, 32, 16, 0), 110);  // no depth counts as one step
}

TEST(Makespan, OneClassTakesWholeWaves) {
  for (int count = 1; count < 50; ++count) {
    SlotTimes times(7, 1.0 / 7);
    times.add({static_cast<double>(count), 3});
    EXPECT_EQ(times.makespan(), (count + 6) / 7 * 3);
  }
}

double list_schedule(const std::vector<TaskClass>& classes, int slots) {
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (int i = 0; i < slots; ++i) free_at.push(0);
  double end = 0;
  for (const TaskClass& tasks : classes) {
    for (int i = 0; i < static_cast<int>(tasks.count); ++i) {
      const double done = free_at.top() + tasks.ns;
      free_at.pop();
      free_at.push(done);
      end = std::max(end, done);
    }
  }
  return end;
}

// Against a simulated longest-first schedule: never below what any schedule needs, and close.
TEST(Makespan, StaysNearASimulatedSchedule) {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    const int slots = 1 + static_cast<int>(random() % 40);
    std::vector<TaskClass> classes;
    TaskList list;
    double total = 0;
    double longest = 0;
    for (int i = 0; i < 1 + static_cast<int>(random() % 8); ++i) {
      const double count = static_cast<double>(random() % 90 + 1);
      const double ns = static_cast<double>(random() % 100 + 1);
      classes.push_back({count, ns});
      list.add(count, ns);
      total += count * ns;
      longest = std::max(longest, ns);
    }
    std::sort(classes.begin(), classes.end(),
              [](const TaskClass& a, const TaskClass& b) { return a.ns > b.ns; });
    const double estimate = list.times(slots, 1.0 / slots).makespan();
    ASSERT_GE(estimate * (1 + 1e-9), std::max(total / slots, longest));
    ASSERT_LE(estimate, list_schedule(classes, slots) + longest);
  }
}

TEST(PlanCost, WavePipeIsThePapersSum) {
  const Catalog catalog({padded_kernel(32, 32, 64, 100, 10)}, testing::many_unit_device(3), {});
  const PlanOptions options = {.model = CostModel::kWavePipe};
  // 4 x 2 blocks on 3 slots: three waves of two K steps.
  EXPECT_EQ(plan_ns(whole({97, 64, 65}, catalog, 3), catalog, options), 3 * 120 + 3000);
}

TEST(PlanCost, SerialPlansAreLaunchedForNothing) {
  const Catalog catalog({padded_kernel(32, 32, 64, 100, 10)}, testing::two_core_device(), {});
  const PlanOptions options = {.model = CostModel::kMakespan};
  EXPECT_EQ(plan_ns(whole({64, 32, 64}, catalog, 1), catalog, options), 220);
  EXPECT_EQ(plan_ns(whole({64, 32, 64}, catalog, 2), catalog, options), 110 + 1500 + 300);
}

TEST(PlanCost, SlicesDivideTheDepthAndPayForEach) {
  MicroKernel kernel = padded_kernel(32, 32, 64, 100, 10);
  kernel.max_k_slices = 4;
  kernel.slice_ns = 7;
  kernel.slice_bytes = 4096;
  const Catalog catalog({kernel}, testing::two_core_device(), {});
  const PlanOptions options = {.model = CostModel::kMakespan};
  const Plan plan = whole({32, 32, 6400}, catalog, 2, 2);
  EXPECT_EQ(plan_ns(plan, catalog, options), 100 + 500 + 7 + 1800);
  EXPECT_EQ(plan.workspace, 2 * 4096);
}

TEST(PlanCost, ResidentBlocksShareAUnit) {
  MicroKernel kernel = padded_kernel(32, 32, 64, 100, 0);
  kernel.resident_blocks = 2;
  const Catalog catalog({kernel}, testing::many_unit_device(3), {});
  const PlanOptions options = {.model = CostModel::kMakespan};
  EXPECT_EQ(plan_ns(whole({32 * 6, 32, 1}, catalog, 3), catalog, options), 100 + 3000);
  EXPECT_EQ(plan_ns(whole({32 * 7, 32, 1}, catalog, 3), catalog, options), 200 + 3000);
}

TEST(PlanCost, ComputeAndBandwidthHideEachOtherButForATenth) {
  EXPECT_DOUBLE_EQ(overlapped(100, 20), 102);
  EXPECT_DOUBLE_EQ(overlapped(20, 100), 102);
  EXPECT_DOUBLE_EQ(overlapped(5, 0), 5);
}

TEST(PlanCost, BandwidthIsAFloor) {
  DeviceModel device;
  device.level_count = 2;
  device.levels[0] = {.bytes = 1000, .bytes_per_ns = 10, .unit_bytes_per_ns = 0};
  device.levels[1] = {.bytes = 0, .bytes_per_ns = 1, .unit_bytes_per_ns = 0.5};
  const Catalog catalog({padded_kernel(32, 32, 64, 0, 1e-3)}, device, {1, 1, 1});
  PlanOptions options;
  // 10 x 10 over 10: 300 bytes fit the inner level; over 100: 2100 do not. A tenth of the compute,
  // 1e-3 a step of 64, is not hidden.
  EXPECT_NEAR(plan_ns(whole({10, 10, 10}, catalog, 1), catalog, options), 30 + 1e-4, 1e-9);
  EXPECT_NEAR(plan_ns(whole({10, 10, 100}, catalog, 1), catalog, options), 4200 + 2e-4, 1e-9);
  options.reads_c = true;
  EXPECT_NEAR(plan_ns(whole({10, 10, 10}, catalog, 1), catalog, options), 40 + 1e-4, 1e-9);
  options.model = CostModel::kMakespan;
  EXPECT_LT(plan_ns(whole({10, 10, 100}, catalog, 1), catalog, options), 1);
}

TEST(LowerBound, HoldsForEveryPlanOfTheSpace) {
  for (const Catalog& catalog : {testing::two_core_catalog(8), testing::many_unit_catalog(8),
                                 testing::odd_catalog(8, 1), testing::odd_catalog(8, 2)}) {
    for (const CostModel model :
         {CostModel::kWavePipe, CostModel::kMakespan, CostModel::kMakespanBandwidth}) {
      const PlanOptions options = {.model = model};
      for (const Shape& shape : testing::random_shapes(15, 3000, 17)) {
        for (const Plan& plan : rank_plans(shape, catalog, options, 1 << 20)) {
          testing::expect_sound(plan, catalog, options);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mikpoly
