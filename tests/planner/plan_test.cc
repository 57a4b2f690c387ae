// The one-line form of plans.
#include "planner/plan.h"

#include <gtest/gtest.h>

#include <string>

#include "planner/search.h"
#include "tests/support/fake_device.h"

namespace mikpoly {
namespace {

Catalog two_kernels() {
  return Catalog({testing::vector_kernel(16, 32, 64), testing::vector_kernel(8, 16, 64)},
                 testing::two_core_device(), {});
}

TEST(PlanText, RoundTrips) {
  const Catalog catalog = testing::many_unit_catalog();
  for (const Shape& shape : testing::random_shapes(500, 8192, 3)) {
    const Plan plan = make_plan(shape, catalog);
    Plan read;
    ASSERT_TRUE(parse_plan(to_string(plan, catalog), catalog, &read)) << to_string(plan, catalog);
    EXPECT_EQ(read, plan);
  }
}

TEST(PlanText, EmptyOutputRoundTrips) {
  const Catalog catalog = two_kernels();
  const Plan plan = make_plan({0, 5, 3}, catalog);
  Plan read;
  EXPECT_EQ(to_string(plan, catalog), "I 0x5x3 units=1 cost=0");
  ASSERT_TRUE(parse_plan(to_string(plan, catalog), catalog, &read));
  EXPECT_EQ(read, plan);
}

TEST(PlanText, ReadsALineAndComputesWorkspace) {
  const Catalog catalog = two_kernels();
  Plan plan;
  ASSERT_TRUE(
      parse_plan("II 20x32x9 units=2 cost=1.5 [0,0 16x32 k=1 16x32x64]"
                 "[16,0 4x32 k=2 8x16x64]",
                 catalog, &plan));
  EXPECT_EQ(plan.pattern, Pattern::kII);
  EXPECT_EQ(plan.units, 2);
  EXPECT_EQ(plan.cost_ns, 1.5);
  EXPECT_EQ(plan.regions[1], (Region{16, 0, 4, 32, 1, 2}));
  EXPECT_EQ(plan.workspace, 2 * 2 * catalog.kernel(1).slice_bytes);
}

TEST(PlanText, MalformedLinesAreRefused) {
  const Catalog catalog = two_kernels();
  const std::string head = "I 20x32x9 units=2 cost=1.5";
  const std::string good = head + " [0,0 20x32 k=1 16x32x64]";
  Plan plan;
  ASSERT_TRUE(parse_plan(good, catalog, &plan));
  const Plan before = plan;
  const std::string bad[] = {
      "",
      head,
      head + ' ',
      good + ' ',
      good + "[0,0 20x32 k=1 16x32x64]",
      "X" + good.substr(1),
      "II" + good.substr(1),
      "I 20x32 units=2 cost=1.5 [0,0 20x32 k=1 16x32x64]",
      "I 20x32x9 units=0 cost=1.5 [0,0 20x32 k=1 16x32x64]",
      "I 20x32x9 units=2 cost=nan [0,0 20x32 k=1 16x32x64]",
      "I 20x32x9 units=2 cost=-1 [0,0 20x32 k=1 16x32x64]",
      "I 99999999999999999999x32x9 units=2 cost=1.5 [0,0 20x32 k=1 16x32x64]",
      head + " [0,0 20x32 k=0 16x32x64]",
      head + " [0,0 20x32 k=9 16x32x64]",
      head + " [0,0 20x32 k=1 no-such]",
      head + " [0,0 20x32 k=1 16x32x64",
      head + " [0,0 19x32 k=1 16x32x64]",
      head + " [0,0 21x32 k=1 16x32x64]",
      head + " [0,0 -20x32 k=1 16x32x64]",
      head + " [1,0 20x32 k=1 16x32x64]",
      head + " [9223372036854775807,0 20x32 k=1 16x32x64]",
      "II 20x32x9 units=2 cost=1 [0,0 16x32 k=1 16x32x64][15,0 5x32 k=1 8x16x64]",
      "II 20x32x9 units=2 cost=1 [0,0 16x32 k=1 16x32x64][17,0 3x32 k=1 8x16x64]",
      "II 20x32x9 units=2 cost=1 [0,0 16x16 k=1 16x32x64][0,16 16x16 k=1 8x16x64]"};
  for (const std::string& line : bad) {
    EXPECT_FALSE(parse_plan(line, catalog, &plan)) << line;
    EXPECT_EQ(plan, before);
  }
}

// Dropping or doubling any character never gets past the reader as a plan that fails to cover.
TEST(PlanText, DamagedLinesAreRefusedOrStillCover) {
  const Catalog catalog = two_kernels();
  const std::string good = to_string(make_plan({100, 70, 50}, catalog), catalog);
  for (size_t i = 0; i < good.size(); ++i) {
    Plan plan;
    std::string line = good;
    if (parse_plan(line.erase(i, 1), catalog, &plan)) {
      EXPECT_EQ(to_string(plan, catalog), line);
    }
    line = good;
    if (parse_plan(line.insert(i, 1, good[i]), catalog, &plan)) {
      Plan again;
      EXPECT_TRUE(parse_plan(to_string(plan, catalog), catalog, &again));
    }
  }
}

}  // namespace
}  // namespace mikpoly
