#include "bench/measure/operands.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mikpoly::bench {
namespace {

constexpr int64_t kMiB = 1 << 20;

Case make_case(int64_t m, int64_t n, int64_t k, const char* trans = "NN") {
  Case c;
  c.m = m;
  c.n = n;
  c.k = k;
  c.trans = trans;
  return c;
}

TEST(RotationTest, LeavesTheInnerCachesAndStaysInTheLast) {
  for (const int64_t size : {64, 100, 256, 400, 800, 1000}) {
    const Case c = make_case(size, size, size);
    const int copies = rotation_copies(c, 2 * kMiB, 32 * kMiB);
    EXPECT_LE(copies * c.bytes(), 32.0 * kMiB) << size;
    if (copies < 64) {
      EXPECT_GE((copies - 1) * c.bytes(), 4.0 * kMiB) << size;
    }
  }
}

TEST(RotationTest, Limits) {
  EXPECT_EQ(rotation_copies(make_case(1, 1, 1), 2 * kMiB, 32 * kMiB), 64);
  EXPECT_EQ(rotation_copies(make_case(4096, 4096, 4096), 2 * kMiB, 32 * kMiB), 1);
  // A machine whose inner caches together exceed the last level.
  EXPECT_GE(rotation_copies(make_case(512, 512, 512), 128 * kMiB, 32 * kMiB), 2);
}

TEST(OperandSetTest, CopiesAreAlikeAndTheSameEveryTime) {
  const Case c = make_case(5, 7, 3);
  OperandSet one;
  OperandSet two;
  ASSERT_TRUE(one.allocate(c, 3, 2, 9));
  ASSERT_TRUE(two.allocate(c, 1, 1, 9));
  ASSERT_EQ(one.copies().size(), 3U);
  bool differs = false;
  for (int i = 0; i < 15; ++i) {
    EXPECT_EQ(one.copies()[0].a[i], one.copies()[2].a[i]);
    EXPECT_EQ(one.copies()[0].a[i], two.copies()[0].a[i]);
    EXPECT_LT(std::fabs(one.copies()[0].a[i]), 1.0F + 1e-6F);
    differs = differs || one.copies()[0].a[i] != one.copies()[0].b[i];
  }
  EXPECT_TRUE(differs);
}

// Each layout's product by hand.
void compute(const Case& c, const Operands& x) {
  for (int64_t i = 0; i < c.m; ++i) {
    for (int64_t j = 0; j < c.n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < c.k; ++l) {
        const float a = c.trans[0] == 'T' ? x.a[l * c.m + i] : x.a[i * c.k + l];
        const float b = c.trans[1] == 'T' ? x.b[j * c.k + l] : x.b[l * c.n + j];
        sum += static_cast<double>(a) * static_cast<double>(b);
      }
      x.c[i * c.n + j] = static_cast<float>(sum);
    }
  }
}

TEST(ReferenceTest, AcceptsTheProductInEveryLayout) {
  for (const char* trans : {"NN", "NT", "TN", "TT"}) {
    for (const int64_t m : {1, 6, 90}) {
      const Case c = make_case(m, 71, 65, trans);
      OperandSet operands;
      ASSERT_TRUE(operands.allocate(c, 1, 1, 3));
      const Reference reference(c, operands.copies()[0], 3);
      compute(c, operands.copies()[0]);
      EXPECT_LE(reference.max_error(operands.copies()[0].c), reference.tolerance()) << trans << m;
    }
  }
}

TEST(ReferenceTest, FindsEveryWrongElementOfASmallResult) {
  const Case c = make_case(9, 11, 30);
  OperandSet operands;
  ASSERT_TRUE(operands.allocate(c, 1, 1, 3));
  const Operands& x = operands.copies()[0];
  const Reference reference(c, x, 3);
  for (int64_t i = 0; i < c.m * c.n; ++i) {
    compute(c, x);
    x.c[i] += 0.01F;
    EXPECT_GT(reference.max_error(x.c), reference.tolerance()) << i;
  }
}

TEST(ReferenceTest, WhatIsNotWrittenIsWrong) {
  const Case c = make_case(300, 200, 50);
  OperandSet operands;
  ASSERT_TRUE(operands.allocate(c, 1, 1, 3));
  const Operands& x = operands.copies()[0];
  const Reference reference(c, x, 3);
  compute(c, x);
  reference.spoil(x.c);
  EXPECT_TRUE(std::isinf(reference.max_error(x.c)));
}

}  // namespace
}  // namespace mikpoly::bench
