// What must hold for every plan, checked without the planner's own helpers.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "planner/catalog.h"
#include "planner/cost_model.h"
#include "planner/plan.h"

namespace mikpoly::testing {

inline bool overlap(const Region& a, const Region& b) {
  return a.row < b.row + b.rows && b.row < a.row + a.rows && a.col < b.col + b.cols &&
         b.col < a.col + a.cols;
}

// Regions lie inside the output, do not overlap, and their areas add up to it: every output belongs
// to exactly one. Areas are 128 bits wide.
inline void expect_covers_once(const Plan& plan) {
  __extension__ using Area = unsigned __int128;
  Area area = 0;
  for (int i = 0; i < plan.region_count; ++i) {
    const Region& region = plan.regions[i];
    ASSERT_GE(region.row, 0);
    ASSERT_GE(region.col, 0);
    ASSERT_GT(region.rows, 0);
    ASSERT_GT(region.cols, 0);
    ASSERT_LE(region.row + region.rows, plan.shape.m);
    ASSERT_LE(region.col + region.cols, plan.shape.n);
    for (int j = 0; j < i; ++j) ASSERT_FALSE(overlap(region, plan.regions[j]));
    area += static_cast<Area>(region.rows) * static_cast<Area>(region.cols);
  }
  ASSERT_TRUE(area == static_cast<Area>(plan.shape.m) * static_cast<Area>(plan.shape.n));
}

inline void expect_sound(const Plan& plan, const Catalog& catalog, const PlanOptions& options) {
  SCOPED_TRACE(to_string(plan, catalog));
  expect_covers_once(plan);
  ASSERT_EQ(plan.region_count, region_count(plan.pattern));
  for (int i = 0; i < plan.region_count; ++i) {
    const Region& region = plan.regions[i];
    ASSERT_LT(static_cast<size_t>(region.kernel), catalog.kernels().size());
    ASSERT_GE(region.k_slices, 1);
    ASSERT_LE(region.k_slices, catalog.kernel(region.kernel).max_k_slices);
  }
  ASSERT_TRUE(std::isfinite(plan.cost_ns));
  ASSERT_EQ(plan.cost_ns, plan_ns(plan, catalog, options));
  ASSERT_GE(plan.cost_ns, lower_bound_ns(plan.shape, catalog, options, plan.units));
  ASSERT_GE(plan.workspace, 0);
}

}  // namespace mikpoly::testing
