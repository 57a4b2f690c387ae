// Sizes beyond 32 bits, planned but not run: rows H.
#include <cmath>

#include "core/runtime/tools.h"
#include "tests/support/conformance.h"

namespace mikpoly::testing {
namespace {

GemmProblem problem_of(int64_t m, int64_t n, int64_t k) {
  GemmProblem p;
  p.m = m;
  p.n = n;
  p.k = k;
  return p;
}

// The plan covers m x n exactly, by area, at a cost that is a positive number; or the refusal says
// why.
void expect_planned_or_refused(Runtime& runtime, const GemmProblem& problem) {
  const Result<PlanInput> input = plan_input(runtime, problem);
  if (!input.ok()) {
    EXPECT_EQ(input.status().code(), StatusCode::kUnsupported);
    EXPECT_FALSE(input.status().message().empty());
    return;
  }
  const Plan plan = make_plan(input.value().shape, *input.value().catalog, input.value().options);
  SCOPED_TRACE(mikpoly::to_string(plan, *input.value().catalog));
  __extension__ using Area = __int128;
  Area area = 0;
  for (int i = 0; i < plan.region_count; ++i) {
    const Region& region = plan.regions[static_cast<std::size_t>(i)];
    area += static_cast<Area>(region.rows) * region.cols;
  }
  EXPECT_TRUE(area == static_cast<Area>(problem.m) * problem.n);
  EXPECT_TRUE(std::isfinite(plan.cost_ns) && plan.cost_ns > 0);
  EXPECT_GE(plan.workspace, 0);
}

TEST_P(Conformance, CaseH1_OutputBeyondInt32Elements) {
  expect_planned_or_refused(runtime(), problem_of(46341, 46341, 64));
}

TEST_P(Conformance, CaseH2_H8_BytesBeyondInt32) {
  expect_planned_or_refused(runtime(), problem_of(65536, 32768, 1));
  expect_planned_or_refused(runtime(), problem_of(1073741825, 1, 2));
}

TEST_P(Conformance, CaseH3_MillionsOfRows) {
  expect_planned_or_refused(runtime(), problem_of(5326464, 256, 48));
  expect_planned_or_refused(runtime(), problem_of(16781312, 256, 48));
}

TEST_P(Conformance, CaseH6_GridBeyondAnyLimit) {
  expect_planned_or_refused(runtime(), problem_of(524288, 98304, 128));
}

TEST_P(Conformance, CaseH12_DimensionBeyondInt32) {
  expect_planned_or_refused(runtime(), problem_of(2147483648, 2, 1));
  expect_planned_or_refused(runtime(), problem_of(64, 176379826, 9));
  expect_planned_or_refused(runtime(), problem_of(2, 1, int64_t{1} << 40));
}

TEST_P(Conformance, CaseH15_HugeWorkUsesAllThreads) {
  if (is("ref")) GTEST_SKIP() << "ref has one thread";
  for (const int64_t size : {2000, 100000, 1000000}) {
    const Result<PlanInput> input = plan_input(runtime(), problem_of(size, size, size));
    ASSERT_TRUE(input.ok()) << input.status().message();
    const Plan plan = make_plan(input.value().shape, *input.value().catalog, input.value().options);
    EXPECT_EQ(plan.units, 2) << mikpoly::to_string(plan, *input.value().catalog);
  }
}

}  // namespace
}  // namespace mikpoly::testing
