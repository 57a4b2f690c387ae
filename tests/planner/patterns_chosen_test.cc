// Each of the nine patterns is the best plan for some device and shape. The invented device has one
// unit and pads blocks; each kernel fits one region of the wanted layout, so every other layout
// computes padding: by more than 2 %, below which the search takes fewer regions.
#include <gtest/gtest.h>

#include "planner/search.h"
#include "tests/support/fake_device.h"
#include "tests/support/plan_checks.h"

namespace mikpoly {
namespace {

struct Layout {
  Pattern pattern;
  Shape shape;
  std::vector<Region> regions;  // in the order of the pattern; kernels are numbered alike
};

std::vector<Layout> layouts() {
  return {
      {Pattern::kI, {80, 96, 64}, {{0, 0, 80, 96}}},
      {Pattern::kII, {80, 96, 64}, {{0, 0, 64, 96}, {64, 0, 16, 96}}},
      {Pattern::kIII, {96, 80, 64}, {{0, 0, 96, 64}, {0, 64, 96, 16}}},
      {Pattern::kIV, {80, 96, 64}, {{0, 0, 80, 64}, {0, 64, 58, 32}, {58, 64, 22, 32}}},
      {Pattern::kV,
       {80, 96, 64},
       {{0, 0, 64, 64}, {0, 64, 64, 20}, {0, 84, 64, 12}, {64, 0, 16, 96}}},
      {Pattern::kVI, {80, 96, 64}, {{0, 0, 64, 96}, {64, 0, 16, 60}, {64, 60, 16, 36}}},
      {Pattern::kVII,
       {96, 80, 64},
       {{0, 0, 64, 64}, {64, 0, 20, 64}, {84, 0, 12, 64}, {0, 64, 96, 16}}},
      {Pattern::kVIII,
       {96, 80, 64},
       {{0, 0, 64, 64}, {64, 0, 20, 64}, {84, 0, 12, 64}, {0, 64, 68, 16}, {68, 64, 28, 16}}},
      {Pattern::kIX,
       {80, 96, 64},
       {{0, 0, 64, 64}, {0, 64, 64, 20}, {0, 84, 64, 12}, {64, 0, 16, 68}, {64, 68, 16, 28}}},
  };
}

Catalog fitting_catalog(const Layout& layout) {
  std::vector<MicroKernel> kernels;
  for (const Region& region : layout.regions) {
    const double area = static_cast<double>(region.rows * region.cols);
    const double rate = kernels.empty() ? 0.9 : 1;  // the first region's kernel is the fastest
    kernels.push_back(testing::padded_kernel(static_cast<int>(region.rows),
                                             static_cast<int>(region.cols), 64, 1, area * rate));
  }
  return Catalog(std::move(kernels), DeviceModel(), {});
}

TEST(Patterns, EachIsChosenSomewhere) {
  for (const Layout& layout : layouts()) {
    const Catalog catalog = fitting_catalog(layout);
    const Plan plan = make_plan(layout.shape, catalog);
    SCOPED_TRACE(to_string(plan, catalog));
    testing::expect_sound(plan, catalog, {});
    EXPECT_EQ(plan.pattern, layout.pattern);
    ASSERT_EQ(plan.region_count, static_cast<int>(layout.regions.size()));
    for (int i = 0; i < plan.region_count; ++i) {
      Region expected = layout.regions[static_cast<size_t>(i)];
      expected.kernel = i;
      EXPECT_EQ(plan.regions[i], expected);
    }
    EXPECT_EQ(rank_plans(layout.shape, catalog, {}, 1).at(0), plan);
  }
}

TEST(Patterns, ForbiddenOnesAreNotChosen) {
  for (const Layout& layout : layouts()) {
    if (layout.pattern == Pattern::kI) continue;
    PlanOptions options;
    options.patterns &= ~(1u << static_cast<unsigned>(layout.pattern));
    const Catalog catalog = fitting_catalog(layout);
    EXPECT_NE(make_plan(layout.shape, catalog, options).pattern, layout.pattern);
  }
}

}  // namespace
}  // namespace mikpoly
