// Properties of make_plan on random shapes and invented devices.
#include "planner/search.h"

#include <gtest/gtest.h>

#include <limits>

#include "planner/cost_model.h"
#include "tests/support/fake_device.h"
#include "tests/support/plan_checks.h"

namespace mikpoly {
namespace {

std::vector<Catalog> catalogs() {
  return {testing::two_core_catalog(), testing::many_unit_catalog(), testing::odd_catalog(12, 3),
          testing::odd_catalog(30, 4)};
}

constexpr CostModel kModels[] = {CostModel::kWavePipe, CostModel::kMakespan,
                                 CostModel::kMakespanBandwidth};

TEST(MakePlan, PlansAreSound) {
  for (const Catalog& catalog : catalogs()) {
    for (const CostModel model : kModels) {
      const PlanOptions options = {.model = model};
      for (const Shape& shape : testing::random_shapes(700, 8192, 21)) {
        testing::expect_sound(make_plan(shape, catalog, options), catalog, options);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(MakePlan, CheapPlansStayOneRegionWhereAsked) {
  const Catalog catalog = testing::two_core_catalog();
  PlanOptions options;
  bool was_cut = false;
  for (const Shape& shape : testing::random_shapes(200, 512, 25)) {
    const Plan best = make_plan(shape, catalog, options);
    options.simple_below_ns = 1e15;
    const Plan simple = make_plan(shape, catalog, options);
    options.simple_below_ns = 0;
    EXPECT_EQ(simple.region_count, 1);
    EXPECT_GE(simple.cost_ns, best.cost_ns * (1 - 1e-9));
    was_cut = was_cut || best.region_count > 1;
  }
  EXPECT_TRUE(was_cut);
}

TEST(MakePlan, IsDeterministic) {
  for (const Catalog& catalog : catalogs()) {
    const Catalog copy = catalog;
    for (const Shape& shape : testing::random_shapes(300, 8192, 22)) {
      EXPECT_EQ(make_plan(shape, catalog), make_plan(shape, copy));
    }
  }
}

TEST(MakePlan, NeverWorseThanTheBestSingleKernel) {
  for (const Catalog& catalog : catalogs()) {
    for (const CostModel model : kModels) {
      const PlanOptions options = {.model = model};
      PlanOptions single = options;
      single.patterns = 1;
      for (const Shape& shape : testing::random_shapes(150, 8192, 23)) {
        const Plan best = rank_plans(shape, catalog, single, 1).at(0);
        EXPECT_LE(make_plan(shape, catalog, options).cost_ns, best.cost_ns * (1 + 1e-9))
            << to_string(best, catalog);
      }
    }
  }
}

TEST(MakePlan, RespectsTheUnitLimit) {
  const Catalog catalog = testing::two_core_catalog();
  for (const Shape& shape : testing::random_shapes(200, 8192, 24)) {
    PlanOptions options;
    double before = std::numeric_limits<double>::infinity();
    for (const int limit : {1, 2}) {
      options.max_units = limit;
      const Plan plan = make_plan(shape, catalog, options);
      EXPECT_LE(plan.units, limit);
      EXPECT_LE(plan.cost_ns, before * 1.02);
      before = plan.cost_ns;
    }
  }
}

TEST(MakePlan, UsesEveryUnitOfADeviceThatStartsThemTogether) {
  const Catalog catalog = testing::many_unit_catalog();
  for (const Shape& shape : testing::random_shapes(50, 8192, 25)) {
    EXPECT_EQ(make_plan(shape, catalog).units, 132);
  }
}

TEST(MakePlan, RespectsTheOptions) {
  const Catalog catalog = testing::many_unit_catalog();
  const PlanOptions options = {.allow_k_split = false, .patterns = 1u << 1};
  for (const Shape& shape : testing::random_shapes(500, 8192, 26)) {
    const Plan plan = make_plan(shape, catalog, options);
    EXPECT_TRUE(plan.pattern == Pattern::kI || plan.pattern == Pattern::kII);
    EXPECT_EQ(plan.workspace, 0);
    for (int i = 0; i < plan.region_count; ++i) EXPECT_EQ(plan.regions[i].k_slices, 1);
  }
}

TEST(MakePlan, EmptyOutputHasNoRegions) {
  const Catalog catalog = testing::two_core_catalog();
  for (const Shape& shape : {Shape{0, 5, 5}, Shape{5, 0, 5}, Shape{0, 0, 0}}) {
    const Plan plan = make_plan(shape, catalog);
    EXPECT_EQ(plan.region_count, 0);
    EXPECT_EQ(plan.cost_ns, 0);
    EXPECT_EQ(plan.shape, shape);
  }
}

TEST(MakePlan, NoDepthIsPlannedAsOneStep) {
  for (const Catalog& catalog : catalogs()) {
    const Plan plan = make_plan({100, 100, 0}, catalog);
    testing::expect_sound(plan, catalog, {});
    EXPECT_GT(plan.cost_ns, 0);
    EXPECT_EQ(plan.workspace, 0);
  }
}

TEST(MakePlan, TinyProblemsAreSerial) {
  const Catalog catalog = testing::two_core_catalog();
  for (const Shape& shape : {Shape{1, 1, 1}, Shape{8, 8, 8}, Shape{16, 16, 64}}) {
    EXPECT_EQ(make_plan(shape, catalog).units, 1);
  }
  EXPECT_EQ(make_plan({1024, 1024, 1024}, catalog).units, 2);
}

TEST(MakePlan, SplitsKWhereTheOutputIsSmall) {
  for (const Catalog& catalog : {testing::two_core_catalog(), testing::many_unit_catalog()}) {
    for (const Shape& shape : {Shape{16, 16, 500000}, Shape{8, 8, 100000}}) {
      const Plan plan = make_plan(shape, catalog);
      EXPECT_GT(plan.regions[0].k_slices, 1) << to_string(plan, catalog);
      EXPECT_GT(plan.workspace, 0);
    }
  }
}

TEST(MakePlan, HugeDimensionsNeitherOverflowNorLoseOutputs) {
  constexpr int64_t kHuge = int64_t{1} << 40;
  const int64_t sizes[] = {1, 3, kHuge - 1, kHuge};
  for (const Catalog& catalog : catalogs()) {
    for (const CostModel model : kModels) {
      const PlanOptions options = {.model = model};
      for (const int64_t m : sizes) {
        for (const int64_t n : sizes) {
          for (const int64_t k : {int64_t{1}, kHuge}) {
            testing::expect_sound(make_plan({m, n, k}, catalog, options), catalog, options);
            if (::testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// The paper's case: 128 blocks of the large kernel on 108 slots leave most of a second wave idle.
TEST(MakePlan, CutsThePapersCaseStudy) {
  const Catalog catalog(
      {testing::padded_kernel(256, 128, 32, 900, 150), testing::padded_kernel(64, 64, 64, 700, 45)},
      testing::many_unit_device(108), {2, 2, 4});
  PlanOptions single;
  single.patterns = 1;
  for (const CostModel model : kModels) {
    PlanOptions options = {.model = model};
    single.model = model;
    const Plan plan = make_plan({4096, 1024, 4096}, catalog, options);
    EXPECT_NE(plan.pattern, Pattern::kI);
    EXPECT_LT(plan.cost_ns * 1.1, make_plan({4096, 1024, 4096}, catalog, single).cost_ns)
        << to_string(plan, catalog);
  }
}

}  // namespace
}  // namespace mikpoly
