// Memory over many shapes and threads: rows M.
#include <unistd.h>

#include <fstream>
#include <thread>

#include "tests/support/conformance.h"

namespace mikpoly::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(Targets, Conformance, ::testing::ValuesIn(targets()), target_name);

int64_t resident_kib() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  file >> total >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

// Distinct small shapes, all within one operand buffer.
class Shapes {
 public:
  void run(Runtime& runtime, int count) {
    for (int i = 0; i < count; ++i, ++next_) {
      GemmProblem p;
      p.m = 1 + next_ % 31;
      p.n = 1 + next_ / 31 % 31;
      p.k = 1 + next_ / 961 % 64;
      GemmArgs args;
      args.a = a_.data();
      args.b = a_.data();
      args.c = c_.data();
      ASSERT_TRUE(runtime.gemm(p, args).ok());
    }
  }

 private:
  int next_ = 0;
  std::vector<float> a_ = std::vector<float>(4096, 1);
  std::vector<float> c_ = std::vector<float>(4096);
};

constexpr int64_t kSlackKib = 2048;  // of the allocator

TEST_P(Conformance, CaseM1_M5_M15_ResidentMemoryIsFlatOverShapes) {
  if (is("onednn")) GTEST_SKIP() << "oneDNN keeps up to 1024 primitives of its own";
  RuntimeOptions options;
  options.threads = 2;
  Runtime own = create_runtime(GetParam(), options).value();
  Shapes shapes;
  shapes.run(own, 4000);
  const int64_t before = resident_kib();
  shapes.run(own, 20000);
  EXPECT_LE(resident_kib() - before, kSlackKib);
  EXPECT_LE(own.cache_stats().bytes, options.cache_bytes);
  EXPECT_EQ(own.cache_stats().misses, 24000U);
}

TEST_P(Conformance, CaseM3_CapacityZeroKeepsNothing) {
  if (is("onednn")) GTEST_SKIP() << "oneDNN keeps up to 1024 primitives of its own";
  RuntimeOptions options;
  options.threads = 1;
  options.cache_bytes = 0;
  Runtime own = create_runtime(GetParam(), options).value();
  Shapes shapes;
  shapes.run(own, 1000);
  const int64_t before = resident_kib();
  shapes.run(own, 10000);
  EXPECT_LE(resident_kib() - before, kSlackKib);
  EXPECT_EQ(own.cache_stats().bytes, 0U);
  EXPECT_EQ(own.cache_stats().hits, 0U);
}

TEST_P(Conformance, CaseM6_MemoryOfFinishedThreadsIsFreed) {
  GemmSpec spec;
  spec.m = 64;
  spec.n = 64;
  spec.k = is("ref") ? 64 : 4096;
  spec.threads = 1;
  const auto run_threads = [&](int count) {
    for (int i = 0; i < count; ++i) {
      std::thread([&] { EXPECT_TRUE(run_gemm(runtime(), spec, GemmData(spec)).ok()); }).join();
    }
  };
  run_threads(20);
  const int64_t before = resident_kib();
  run_threads(200);
  EXPECT_LE(resident_kib() - before, 2 * kSlackKib);
}

}  // namespace
}  // namespace mikpoly::testing
