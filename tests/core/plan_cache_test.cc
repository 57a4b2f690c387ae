#include "core/runtime/plan_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace mikpoly {
namespace {

GemmProblem problem_of(int64_t i) {
  GemmProblem p;
  p.m = 1 + i % 97;
  p.n = 1 + i / 97;
  p.k = 1 + i % 13;
  return p;
}

// An entry whose every field follows from the problem, so that a mix-up shows.
CachedPlan entry_of(const GemmProblem& p) {
  CachedPlan entry;
  entry.gemm = canonicalize(p).value();
  Plan& plan = entry.plan;
  plan.shape = entry.gemm.call.shape;
  plan.pattern = static_cast<Pattern>(p.m % kPatternCount);
  plan.units = static_cast<int32_t>(1 + p.n % 5);
  plan.region_count = static_cast<int32_t>(1 + p.m % Plan::kMaxRegions);
  plan.cost_ns = static_cast<double>(p.m) * 1.5;
  plan.workspace = p.n * 64;
  for (int i = 0; i < plan.region_count; ++i) {
    plan.regions[static_cast<std::size_t>(i)] = {
        p.m + i, p.n + i, p.k + i, p.m * p.n, static_cast<KernelId>(p.k), i};
  }
  return entry;
}

void expect_same(const CachedPlan& got, const CachedPlan& want) {
  EXPECT_EQ(got.gemm.call, want.gemm.call);
  EXPECT_EQ(got.gemm.swapped, want.gemm.swapped);
  EXPECT_EQ(got.plan, want.plan);
}

TEST(PlanCache, FindsWhatWasInserted) {
  PlanCache cache(std::size_t{1} << 20);
  for (const MatrixLayout& c : {MatrixLayout::row_major(), MatrixLayout::transposed()}) {
    GemmProblem p = problem_of(1234);
    p.c = c;
    const PlanKey key{p, 2, false};
    CachedPlan found;
    EXPECT_FALSE(cache.find(key, &found));
    cache.insert(key, entry_of(p));
    ASSERT_TRUE(cache.find(key, &found));
    expect_same(found, entry_of(p));
  }
  EXPECT_EQ(cache.stats().hits, 2U);
  EXPECT_EQ(cache.stats().misses, 2U);
}

TEST(PlanCache, EveryPartOfTheKeyCounts) {
  PlanCache cache(std::size_t{1} << 20);
  GemmProblem base = problem_of(5);
  cache.insert({base, 2, false}, entry_of(base));
  CachedPlan found;
  EXPECT_FALSE(cache.find({base, 1, false}, &found));
  EXPECT_FALSE(cache.find({base, 2, true}, &found));
  const auto differs = [&](auto change) {
    GemmProblem other = base;
    change(&other);
    return !cache.find({other, 2, false}, &found);
  };
  EXPECT_TRUE(differs([](GemmProblem* p) { ++p->m; }));
  EXPECT_TRUE(differs([](GemmProblem* p) { ++p->n; }));
  EXPECT_TRUE(differs([](GemmProblem* p) { ++p->k; }));
  EXPECT_TRUE(differs([](GemmProblem* p) { p->a_type = DType::kBF16; }));
  EXPECT_TRUE(differs([](GemmProblem* p) { p->b_type = static_cast<DType>(16); }));
  EXPECT_TRUE(differs([](GemmProblem* p) { p->c_type = static_cast<DType>(-1); }));
  EXPECT_TRUE(differs([](GemmProblem* p) { p->a.kind = MatrixLayout::Kind::kTransposed; }));
  EXPECT_TRUE(differs([](GemmProblem* p) { p->b.kind = MatrixLayout::Kind::kPacked; }));
  EXPECT_TRUE(differs([](GemmProblem* p) { p->c.kind = static_cast<MatrixLayout::Kind>(16); }));
  EXPECT_TRUE(differs([](GemmProblem* p) { p->a.ld = 99; }));
  EXPECT_TRUE(differs([](GemmProblem* p) { p->b.row_stride = 1; }));
  EXPECT_TRUE(differs([](GemmProblem* p) { p->c.col_stride = 1; }));
  EXPECT_FALSE(differs([](GemmProblem*) {}));
}

TEST(PlanCache, ZeroBytesHoldNothing) {
  for (const std::size_t bytes : {std::size_t{0}, PlanCache::set_bytes() - 1}) {
    PlanCache cache(bytes);
    const GemmProblem p = problem_of(7);
    cache.insert({p, 1, false}, entry_of(p));
    CachedPlan found;
    EXPECT_FALSE(cache.find({p, 1, false}, &found));
    EXPECT_EQ(cache.stats().bytes, 0U);
    EXPECT_EQ(cache.stats().misses, 1U);
  }
}

TEST(PlanCache, StaysWithinItsBytesAndForgetsTheOldest) {
  const std::size_t limit = 3 * PlanCache::set_bytes() + 17;
  PlanCache cache(limit);
  EXPECT_LE(cache.stats().bytes, limit);
  EXPECT_GT(cache.stats().bytes, limit / 2);
  constexpr int kShapes = 5000;
  for (int i = 0; i < kShapes; ++i) {
    const GemmProblem p = problem_of(i);
    cache.insert({p, 1, false}, entry_of(p));
    CachedPlan found;
    ASSERT_TRUE(cache.find({p, 1, false}, &found)) << i;
    expect_same(found, entry_of(p));
  }
  EXPECT_LE(cache.stats().bytes, limit);
  CachedPlan found;
  EXPECT_FALSE(cache.find({problem_of(0), 1, false}, &found));
  int kept = 0;
  for (int i = 0; i < kShapes; ++i) {
    kept += cache.find({problem_of(i), 1, false}, &found) ? 1 : 0;
  }
  EXPECT_EQ(kept, 24);  // three full sets of eight
}

TEST(PlanCache, AnAbsurdLimitIsCutDown) {
  PlanCache cache(~std::size_t{0});
  EXPECT_LE(cache.stats().bytes, PlanCache::kMostBytes);
  EXPECT_GT(cache.stats().bytes, PlanCache::kMostBytes / 2);
}

// 64 threads on a table so small that entries are replaced while they are read: whatever is found
// is whole and belongs to its key.
TEST(PlanCache, ManyThreadsNeverSeeAMixedEntry) {
  PlanCache cache(2 * PlanCache::set_bytes());
  std::atomic<int> wrong{0};
  std::atomic<uint64_t> finds{0};
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 3000; ++i) {
      const GemmProblem p = problem_of(random() % 40);
      const PlanKey key{p, 1, false};
      const CachedPlan want = entry_of(p);
      CachedPlan found;
      ++finds;
      if (!cache.find(key, &found)) {
        cache.insert(key, want);
      } else if (!(found.plan == want.plan) || !(found.gemm.call == want.gemm.call)) {
        ++wrong;
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 64; ++t) threads.emplace_back(work, t);
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(cache.stats().hits + cache.stats().misses, finds.load());
  EXPECT_GT(cache.stats().hits, 0U);
}

}  // namespace
}  // namespace mikpoly
