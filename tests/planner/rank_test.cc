// The search against the whole candidate space.
#include <gtest/gtest.h>

#include <algorithm>

#include "planner/search.h"
#include "tests/support/fake_device.h"
#include "tests/support/plan_checks.h"

namespace mikpoly {
namespace {

TEST(RankPlans, AreSortedDistinctAndSound) {
  const Catalog catalog = testing::many_unit_catalog(12);
  for (const Shape& shape : testing::random_shapes(20, 4096, 31)) {
    const std::vector<Plan> plans = rank_plans(shape, catalog, {}, 50);
    ASSERT_FALSE(plans.empty());
    for (size_t i = 0; i < plans.size(); ++i) {
      testing::expect_sound(plans[i], catalog, {});
      if (i == 0) continue;
      EXPECT_LE(plans[i - 1].cost_ns, plans[i].cost_ns);
      for (size_t j = 0; j < i; ++j) EXPECT_FALSE(plans[i] == plans[j]);
    }
  }
  EXPECT_TRUE(rank_plans({1, 1, 1}, catalog, {}, 0).empty());
}

// make_plan drops what promises less than 1 % and bounds its own time, so a few shapes of many
// waves on many units may miss a better cut; they must be rare, and the loss small.
void expect_near_best(const Catalog& catalog, const PlanOptions& options, int shapes,
                      uint32_t seed) {
  int missed = 0;
  for (const Shape& shape : testing::random_shapes(shapes, 8192, seed)) {
    const Plan plan = make_plan(shape, catalog, options);
    const Plan best = rank_plans(shape, catalog, options, 1).at(0);
    if (plan.cost_ns <= 1.02 * best.cost_ns) continue;
    ++missed;
    EXPECT_LE(plan.cost_ns, 1.2 * best.cost_ns) << to_string(plan, catalog) << '\n'
                                                << to_string(best, catalog);
  }
  EXPECT_LE(missed, shapes / 100);
}

TEST(RankPlans, SearchComesWithinTwoPercentOfTheBest) {
  for (const CostModel model :
       {CostModel::kWavePipe, CostModel::kMakespan, CostModel::kMakespanBandwidth}) {
    expect_near_best(testing::two_core_catalog(), {.model = model}, 200, 32);
    expect_near_best(testing::many_unit_catalog(), {.model = model}, 200, 33);
    expect_near_best(testing::odd_catalog(30, 5), {.model = model}, 200, 34);
  }
}

}  // namespace
}  // namespace mikpoly
