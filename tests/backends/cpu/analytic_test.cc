#include "backends/cpu/analytic.h"

#include <gtest/gtest.h>

#include "backends/cpu/cpu_backend.h"
#include "kernels/cpu/kernel_sets.h"
#include "planner/search.h"

namespace mikpoly::cpu {
namespace {

TEST(AnalyticTest, CostsArePositiveAndGrowWithDepth) {
  for (const KernelSet* set : usable_f32_sets()) {
    for (int i = 0; i < kKinds; ++i) {
      for (const BlockKernel& k : candidates(Kind::of(i), *set, CacheSizes{})) {
        MicroKernel m = describe(k, Kind::of(i), *set);
        analytic_cost(k, Kind::of(i), *set, &m);
        ASSERT_GT(m.task_time.at(1), 0) << m.name;
        ASSERT_GT(m.task_time.at(2), m.task_time.at(1)) << m.name;
        ASSERT_GE(m.edge_m, 0) << m.name;
        ASSERT_GE(m.edge_n, 0) << m.name;
      }
    }
  }
}

TEST(AnalyticTest, EveryKindHasACatalogOnEveryInstructionSet) {
  for (const KernelSet* set : usable_f32_sets()) {
    const CpuBackend backend(*set, 2);
    GemmCall call;
    call.shape = {100, 100, 100};
    for (const Strides a : {Strides{100, 1}, Strides{1024, 1}, Strides{1, 100}, Strides{300, 3}}) {
      for (const Strides b :
           {Strides{100, 1}, Strides{1024, 1}, Strides{1, 100}, Strides{300, 3}}) {
        call.a = a;
        call.b = b;
        call.c = {100, 1};
        const auto catalog = backend.catalog(call);
        ASSERT_TRUE(catalog.ok());
        EXPECT_GT(catalog.value()->kernels().size(), 3U) << to_string(kind_of(call));
        EXPECT_LE(catalog.value()->kernels().size(), 40U);
      }
    }
  }
}

TEST(AnalyticTest, TinyProblemsRunSeriallyAndLargeOnesDoNot) {
  const CpuBackend backend(*usable_f32_sets().front(), 2);
  GemmCall call;
  for (const auto& [size, units] : {std::pair<int64_t, int>{8, 1}, {1024, 2}}) {
    call.shape = {size, size, size};
    call.a = call.b = call.c = {size, 1};
    EXPECT_EQ(make_plan(call.shape, *backend.catalog(call).value()).units, units) << size;
  }
}

TEST(KindTest, NamesTheLayoutThatMatters) {
  GemmCall call;
  call.shape = {64, 64, 64};
  call.a = {64, 1};
  call.b = {64, 1};
  EXPECT_EQ(to_string(kind_of(call)), "rows.along_k");
  call.a = {1024, 1};
  EXPECT_EQ(to_string(kind_of(call)), "rows.along_k_aliased");
  call.shape.m = 4;  // four rows fit any cache's ways
  EXPECT_EQ(to_string(kind_of(call)), "rows.along_k");
  call.a = {1, 64};
  call.b = {1, 64};
  EXPECT_EQ(to_string(kind_of(call)), "columns.along_m");
  call.a = {2, 2};
  call.b = {2048, 1};
  EXPECT_EQ(to_string(kind_of(call)), "rows_aliased.strided");
  call.b = {2, 2};
  EXPECT_EQ(to_string(kind_of(call)), "strided.strided");
  call.b_packed = true;
  EXPECT_EQ(to_string(kind_of(call)), "packed.strided");
}

}  // namespace
}  // namespace mikpoly::cpu
