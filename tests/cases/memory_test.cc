// Reads and writes outside the operands, pointers aligned to 4 bytes only: rows O. Every operand of
// check_gemm ends (or starts) at a page that faults.
#include <algorithm>

#include "tests/support/conformance.h"

namespace mikpoly::testing {
namespace {

using Guard = GuardBuffer::Guard;

GemmSpec spec_of(int64_t m, int64_t n, int64_t k) {
  GemmSpec spec;
  spec.m = m;
  spec.n = n;
  spec.k = k;
  return spec;
}

::testing::AssertionResult check_both_guards(Runtime& runtime, GemmSpec spec) {
  for (const Guard guard : {Guard::kBehind, Guard::kBefore}) {
    spec.guard = guard;
    if (auto result = check_gemm(runtime, spec); !result) return result;
  }
  return ::testing::AssertionSuccess();
}

TEST_P(Conformance, CaseO1_LastRowEndsAtTheBuffer_AsF32) {
  GemmSpec spec = spec_of(126, 1, 126);
  spec.b = MatrixLayout::transposed(31509);
  EXPECT_TRUE(check_both_guards(runtime(), spec));
  spec = spec_of(126, 2, 126);
  spec.b = MatrixLayout::transposed(31509);
  EXPECT_TRUE(check_both_guards(runtime(), spec));
  spec.b = MatrixLayout::row_major(31509);
  EXPECT_TRUE(check_both_guards(runtime(), spec));
}

TEST_P(Conformance, CaseO3_SmallSizesPermuted) {
  for (int64_t m = 1; m <= 9; ++m) {
    for (int64_t n = 1; n <= 9; ++n) {
      for (const int64_t k : {1, 2, 3, 4, 7, 9}) {
        ASSERT_TRUE(check_both_guards(runtime(), spec_of(m, n, k)));
      }
    }
  }
}

TEST_P(Conformance, CaseO4_ExactBlocks) {
  EXPECT_TRUE(check_both_guards(runtime(), spec_of(10, 10, 10)));
}

TEST_P(Conformance, CaseO7_PartialLastTile_AsF32Smaller) {
  for (const int64_t n : {2096, 2112}) {
    GemmSpec spec = spec_of(28, n, 64);
    spec.a = MatrixLayout::transposed();
    EXPECT_TRUE(check_both_guards(runtime(), spec));
  }
}

TEST_P(Conformance, CaseO8_O11_O12_O16_O17_OddPackedShapes_AsF32) {
  const int64_t shapes[][3] = {{2, 4, 3}, {36, 36, 64}, {1, 705, 705}, {65, 65, 65}, {409, 72, 51}};
  for (const auto& shape : shapes) {
    EXPECT_TRUE(check_both_guards(runtime(), spec_of(shape[0], shape[1], shape[2])));
  }
}

TEST_P(Conformance, CaseO13_O15_FourByteAlignment) {
  const int64_t shapes[][3] = {{7, 13, 19}, {33, 17, 5}, {1, 3, 1}, {16, 16, 16}};
  std::vector<float> memory(4096, 1);
  for (const auto& shape : shapes) {
    for (std::size_t shift = 0; shift < 4; ++shift) {
      GemmProblem p;
      p.m = shape[0];
      p.n = shape[1];
      p.k = shape[2];
      std::vector<float> c(2048, -1);
      GemmArgs args;
      args.a = memory.data() + shift;
      args.b = memory.data() + 1000 + 3 * shift + 1;
      args.c = c.data() + shift + 1;
      ASSERT_TRUE(runtime().gemm(p, args).ok());
      const auto first = c.begin() + static_cast<std::ptrdiff_t>(shift) + 1;
      EXPECT_EQ(std::count(first, first + p.m * p.n, static_cast<float>(p.k)), p.m * p.n);
      EXPECT_EQ(std::count(c.begin(), c.end(), -1.0F), 2048 - p.m * p.n);
    }
  }
}

}  // namespace
}  // namespace mikpoly::testing
