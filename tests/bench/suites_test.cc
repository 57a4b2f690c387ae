#include "bench/suites/suites.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "bench/suites/rng.h"

namespace mikpoly::bench {
namespace {

using Key = std::tuple<int64_t, int64_t, int64_t>;

std::set<Key> distinct(const std::vector<Case>& cases) {
  std::set<Key> keys;
  for (const Case& c : cases) keys.insert({c.m, c.n, c.k});
  return keys;
}

// A value that changes with any size and any change of order.
uint64_t fingerprint(const std::vector<Case>& cases) {
  uint64_t hash = 14695981039346656037ULL;
  for (const Case& c : cases) {
    for (const int64_t size : {c.m, c.n, c.k}) {
      hash = (hash ^ static_cast<uint64_t>(size)) * 1099511628211ULL;
    }
  }
  return hash;
}

TEST(SuitesTest, DeepbenchHas166DistinctShapes) {
  const std::vector<Case> cases = deepbench_gemm();
  EXPECT_EQ(cases.size(), 166U);
  EXPECT_EQ(distinct(cases).size(), 166U);
  EXPECT_TRUE(distinct(cases).contains({35, 8457, 2560}));
  EXPECT_TRUE(distinct(cases).contains({512, 8, 500000}));
}

TEST(SuitesTest, LlamaTokensAreOurRows) {
  const std::vector<Case> cases = llama2_13b();
  EXPECT_EQ(cases.size(), 52U);
  const std::set<Key> keys = distinct(cases);
  for (const Key& key :
       {Key{1, 3840, 5120}, Key{4096, 5120, 1280}, Key{64, 3456, 5120}, Key{2048, 5120, 3456}}) {
    EXPECT_TRUE(keys.contains(key));
  }
}

TEST(SuitesTest, DynamicMCoversEveryRowCount) {
  const std::vector<Case> cases = dynamic_m();
  ASSERT_EQ(cases.size(), 8192U);
  EXPECT_EQ(cases.front().m, 1);
  EXPECT_EQ(cases.back().m, 8192);
  EXPECT_EQ(distinct(cases).size(), 8192U);
}

TEST(SuitesTest, WaveProbe) {
  const std::vector<Case> cases = wave_probe();
  ASSERT_EQ(cases.size(), 64U);
  EXPECT_EQ(cases.back().m, 4096);
  EXPECT_EQ(cases.back().n, 1024);
  EXPECT_EQ(cases.back().k, 4096);
}

TEST(SuitesTest, RealGemmFillsTheBucketsOfThePaper) {
  struct Bucket {
    int64_t m_low, m_high, n_low, n_high, k_low, k_high;
    int count;
  };
  const Bucket buckets[] = {
      {1, 256, 1, 256, 1, 256, 299},       {1, 256, 1, 256, 257, 65536, 218},
      {1, 256, 257, 1024, 1, 65536, 232},  {1, 256, 1025, 65536, 1, 65536, 97},
      {257, 1024, 1, 256, 1, 65536, 64},   {257, 1024, 257, 65536, 1, 65536, 87},
      {1025, 8192, 1, 256, 1, 65536, 65},  {1025, 8192, 257, 8192, 1, 65536, 136},
      {8193, 65536, 1, 8192, 1, 8192, 69},
  };
  const std::vector<Case> cases = real_gemm();
  EXPECT_EQ(cases.size(), 1267U);
  EXPECT_EQ(distinct(cases).size(), 1267U);
  for (const Bucket& b : buckets) {
    int found = 0;
    for (const Case& c : cases) {
      found += c.m >= b.m_low && c.m <= b.m_high && c.n >= b.n_low && c.n <= b.n_high &&
               c.k >= b.k_low && c.k <= b.k_high;
    }
    EXPECT_EQ(found, b.count) << b.m_low << " " << b.n_low << " " << b.k_low;
  }
}

TEST(SuitesTest, RealGemmHoldsEveryNetwork) {
  std::set<std::string> networks;
  for (const Case& c : real_gemm()) networks.insert(c.source.substr(0, c.source.find(' ')));
  for (const char* name : {"bert-base", "distilbert", "roberta-base", "albert-xxlarge", "alexnet",
                           "googlenet", "resnet-18", "vgg-11"}) {
    EXPECT_TRUE(networks.contains(name)) << name;
  }
}

TEST(SuitesTest, RealGemmFitsAnOrdinaryMachine) {
  for (const Case& c : real_gemm()) {
    EXPECT_LE(c.bytes(), 1073741824.0);
    EXPECT_LE(c.flop(), 274877906944.0);
  }
}

// Results of different machines and library versions are compared by these lists.
TEST(SuitesTest, ListsNeverChange) {
  EXPECT_EQ(fingerprint(deepbench_gemm()), 17964562370329507793ULL);
  EXPECT_EQ(fingerprint(real_gemm()), 3048622095438231391ULL);
  EXPECT_EQ(fingerprint(sample(real_gemm(), 200, 1)), 5422144269603370254ULL);
}

TEST(SuitesTest, QuickIsSmallAndOfAllSuites) {
  const std::vector<Case> cases = quick();
  EXPECT_EQ(cases.size(), 60U);
  std::map<std::string, int> sources;
  for (const Case& c : cases) {
    EXPECT_EQ(c.suite, "quick");
    EXPECT_LE(c.flop(), 1e10);
    ++sources[c.source.substr(0, c.source.find(':'))];
  }
  EXPECT_EQ(sources.size(), 5U);
}

TEST(SuitesTest, EveryNameIsFound) {
  for (const Suite& suite : suites()) {
    ASSERT_NE(find_suite(suite.name), nullptr);
    for (const Case& c : suite.cases()) ASSERT_EQ(c.suite, suite.name);
  }
  EXPECT_EQ(find_suite("deepbench"), nullptr);
  EXPECT_EQ(find_suite(""), nullptr);
}

TEST(SampleTest, TakesFromEverySizeClassAndStratum) {
  const std::vector<Case> all = real_gemm();
  const std::vector<Case> some = sample(all, 200, 3);
  EXPECT_EQ(some.size(), 200U);
  std::map<int, int> per_stratum;
  for (const Case& c : some) ++per_stratum[c.stratum];
  EXPECT_EQ(per_stratum.size(), 9U);
  EXPECT_NEAR(per_stratum[0], 200.0 * 299 / 1267, 2);
}

TEST(SampleTest, LimitsEachSuiteAndKeepsOrder) {
  std::vector<Case> all = wave_probe();
  for (Case& c : llama2_13b()) all.push_back(c);
  const std::vector<Case> some = sample(all, 10, 1);
  ASSERT_EQ(some.size(), 20U);
  for (std::size_t i = 1; i < 10; ++i) EXPECT_LT(some[i - 1].m, some[i].m);
  EXPECT_EQ(some[9].suite, "wave-probe");
  EXPECT_EQ(some[10].suite, "llama2-13b");
  EXPECT_EQ(sample(all, 0, 1).size(), all.size());
  EXPECT_EQ(sample(all, 1000, 1).size(), all.size());
}

TEST(SampleTest, SeedDecides) {
  const std::vector<Case> all = real_gemm();
  EXPECT_EQ(fingerprint(sample(all, 50, 7)), fingerprint(sample(all, 50, 7)));
  EXPECT_NE(fingerprint(sample(all, 50, 7)), fingerprint(sample(all, 50, 8)));
}

TEST(RngTest, KnownSequence) {
  // Values of SplitMix64's reference code for seed 0.
  Rng rng(0);
  EXPECT_EQ(rng.next(), 0xE220A8397B1DCDAFULL);
  EXPECT_EQ(rng.next(), 0x6E789E6AA1B965F4ULL);
}

TEST(RngTest, StaysInRange) {
  Rng rng(5);
  for (int i = 0; i < 1000; ++i) {
    const int64_t value = rng.log_between(257, 65536);
    EXPECT_GE(value, 257);
    EXPECT_LE(value, 65536);
    EXPECT_LT(rng.uniform(), 1);
    const int64_t one = rng.between(4, 4);
    EXPECT_EQ(one, 4);
  }
}

}  // namespace
}  // namespace mikpoly::bench
