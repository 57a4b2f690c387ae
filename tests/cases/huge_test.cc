// Rows H that run, where there is the memory.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <new>

#include "tests/support/conformance.h"

namespace mikpoly::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(Targets, Conformance, ::testing::ValuesIn(targets()), target_name);

int64_t available_gib() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  int64_t kib = 0;
  while (file >> key >> kib) {
    if (key == "MemAvailable:") return kib >> 20;
    file.ignore(100, '\n');
  }
  return 0;
}

TEST_P(Conformance, CaseW33_MillionsOfColumns) {
  constexpr int64_t kColumns = 9530399;
  std::vector<float> a(16, 1), b(static_cast<std::size_t>(4 * kColumns), 1);
  std::vector<float> c(b.size(), -1);
  GemmProblem p;
  p.m = p.k = 4;
  p.n = kColumns;
  GemmArgs args;
  args.a = a.data();
  args.b = b.data();
  args.c = c.data();
  ASSERT_TRUE(runtime().gemm(p, args).ok());
  EXPECT_EQ(std::count(c.begin(), c.end(), 4.0F), 4 * kColumns);
}

// Row i is the constant i % 7. Null where memory is short.
std::unique_ptr<float[]> make_rows(int64_t rows, int64_t cols) {
  if (available_gib() < 12) return nullptr;
  std::unique_ptr<float[]> a(new (std::nothrow) float[static_cast<std::size_t>(rows * cols)]);
  if (a == nullptr) return nullptr;
  for (int64_t i = 0; i < rows; ++i) {
    std::fill_n(a.get() + i * cols, cols, static_cast<float>(i % 7));
  }
  return a;
}

TEST_P(Conformance, CaseH7_MatrixVectorBeyondInt32Elements) {
  constexpr int64_t kRows = 12347;
  constexpr int64_t kCols = 174000;
  static const std::unique_ptr<float[]> a = make_rows(kRows, kCols);
  if (a == nullptr) GTEST_SKIP() << "needs 12 GiB of free memory";
  const std::vector<float> x(kCols, 1);
  std::vector<float> y(kRows, NAN);
  GemmProblem p;
  p.m = kRows;
  p.n = 1;
  p.k = kCols;
  GemmArgs args;
  args.a = a.get();
  args.b = x.data();
  args.c = y.data();
  ASSERT_TRUE(runtime().gemm(p, args).ok());
  for (int64_t i = 0; i < kRows; ++i) {
    // Whole numbers below 2^24: exact in any order.
    ASSERT_EQ(y[static_cast<std::size_t>(i)], static_cast<float>(i % 7 * kCols)) << "row " << i;
  }
}

}  // namespace
}  // namespace mikpoly::testing
