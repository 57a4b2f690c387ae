#include "planner/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/drawing.h"
#include "tests/support/fake_device.h"

namespace mikpoly {
namespace {

Catalog two_kernels() {
  return Catalog({testing::block_kernel(64, 64, 64), testing::block_kernel(16, 64, 64)},
                 testing::many_unit_device(4), {2, 2, 2});
}

TEST(Explain, DrawsEveryRegionAndMarksTheChosenPlan) {
  const Catalog catalog = two_kernels();
  const Plan plan = make_plan({272, 640, 300}, catalog);
  const std::string text = explain(plan, catalog, {});
  for (int i = 0; i < plan.region_count; ++i) {
    EXPECT_NE(text.find(std::string(1, region_letter(i)) + "  "), std::string::npos);
    EXPECT_NE(text.find(catalog.kernel(plan.regions[i].kernel).name), std::string::npos);
  }
  EXPECT_EQ(std::count(text.begin(), text.end(), '*'), 2) << text;  // the legend and one row
  EXPECT_NE(text.find("pattern " + std::string(to_string(plan.pattern))), std::string::npos);
}

TEST(Explain, KeepsThinRegionsVisibleAndTheCanvasSmall) {
  Plan plan;
  plan.shape = {1 << 20, 100000, 1};
  plan.pattern = Pattern::kIX;
  plan.region_count = 5;
  plan.regions[0] = {0, 0, (1 << 20) - 1, 99998};
  plan.regions[1] = {0, 99998, (1 << 20) - 1, 1};
  plan.regions[2] = {0, 99999, (1 << 20) - 1, 1};
  plan.regions[3] = {(1 << 20) - 1, 0, 1, 1};
  plan.regions[4] = {(1 << 20) - 1, 1, 1, 99999};
  const std::string text = draw_regions(plan);
  for (const char letter : {'A', 'B', 'C', 'D', 'E'}) {
    EXPECT_EQ(std::count(text.begin(), text.end(), letter), 1) << text;
  }
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 17);
  EXPECT_LE(text.find('\n'), 63u);
}

TEST(Explain, AnyPlanCanBeExplained) {
  const Catalog catalog = testing::two_core_catalog(6);
  for (const Shape& shape : testing::random_shapes(40, 1e9, 41)) {
    const Plan plan = make_plan(shape, catalog);
    EXPECT_FALSE(explain(plan, catalog, {}, 3).empty());
    EXPECT_NE(to_svg(plan, catalog).find("</svg>"), std::string::npos);
  }
  const Plan empty = make_plan({0, 1, 1}, catalog);
  EXPECT_NE(explain(empty, catalog, {}).find("empty"), std::string::npos);
  EXPECT_NE(to_svg(empty, catalog).find("</svg>"), std::string::npos);
}

TEST(Explain, DurationsKeepThreeDigits) {
  EXPECT_EQ(duration_text(0.5), "0.50 ns");
  EXPECT_EQ(duration_text(81234), "81.2 us");
  EXPECT_EQ(duration_text(2.24e6), "2.24 ms");
}

TEST(Svg, EscapesNames) {
  MicroKernel kernel = testing::block_kernel(64, 64, 64);
  kernel.name = "a<b>&\"c";
  const Catalog catalog({kernel}, testing::many_unit_device(4), {});
  const std::string text = to_svg(make_plan({10, 10, 10}, catalog), catalog);
  EXPECT_NE(text.find("a&lt;b&gt;&amp;&quot;c"), std::string::npos);
  EXPECT_EQ(text.find("a<b"), std::string::npos);
}

// Size does not grow with the problem: block outlines stop where they could not be seen.
TEST(Svg, StaysSmall) {
  const Catalog catalog = testing::many_unit_catalog();
  EXPECT_LT(to_svg(make_plan({1 << 20, 1 << 20, 64}, catalog), catalog).size(), 20000u);
}

}  // namespace
}  // namespace mikpoly
