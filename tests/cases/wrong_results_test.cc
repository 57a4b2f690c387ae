// Wrong results, NaN, elements not written: rows W.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "tests/support/conformance.h"

namespace mikpoly::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(Targets, Conformance, ::testing::ValuesIn(targets()), target_name);

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

GemmProblem problem_of(int64_t m, int64_t n, int64_t k) {
  GemmProblem p;
  p.m = m;
  p.n = n;
  p.k = k;
  return p;
}

GemmSpec spec_of(int64_t m, int64_t n, int64_t k) {
  GemmSpec spec;
  spec.m = m;
  spec.n = n;
  spec.k = k;
  return spec;
}

std::vector<float> multiply(Runtime& runtime, const GemmProblem& p, const std::vector<float>& a,
                            const std::vector<float>& b, float beta = 0) {
  std::vector<float> c(static_cast<std::size_t>(p.m * p.n), kNan);
  GemmArgs args;
  args.a = a.data();
  args.b = b.data();
  args.c = c.data();
  args.beta = beta;
  const Status status = runtime.gemm(p, args);
  EXPECT_TRUE(status.ok()) << status.message();
  return c;
}

TEST_P(Conformance, CaseW1_OneElementDepthZero) {
  GemmProblem p = problem_of(1, 1, 0);
  p.a.ld = 2;
  p.b.ld = 1;
  p.c.ld = 2;
  float c = 0.2667F;
  GemmArgs args;
  args.c = &c;
  ASSERT_TRUE(runtime().gemm(p, args).ok());
  EXPECT_EQ(c, 0.0F);
}

TEST_P(Conformance, CaseW2_TimesIdentity) {
  std::vector<float> a(45 * 33), identity(33 * 33);
  std::iota(a.begin(), a.end(), 0.0F);
  for (std::size_t i = 0; i < 33; ++i) identity[i * 33 + i] = 1;
  EXPECT_EQ(multiply(runtime(), problem_of(45, 33, 33), a, identity), a);
}

TEST_P(Conformance, CaseW3_SmallRandom) {
  GemmSpec spec = spec_of(3, 4, 2);
  spec.fill = Fill::kRandom;
  EXPECT_TRUE(check_gemm(runtime(), spec));
}

TEST_P(Conformance, CaseW4_TwoByTwoOfDepthThree_AsF32) {
  const std::vector<float> x = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(multiply(runtime(), problem_of(2, 2, 3), x, x), (std::vector<float>{22, 28, 49, 64}));
}

TEST_P(Conformance, CaseW6_ZerosOverNan_AsF32) {
  const std::vector<float> zeros(25, 0);
  EXPECT_EQ(multiply(runtime(), problem_of(5, 1, 5), zeros, zeros), std::vector<float>(5, 0));
}

TEST_P(Conformance, CaseW7_NanRightBehindTheVector) {
  const std::vector<float> a = {1, 2, 3, 4, kNan, kNan, kNan, kNan};
  const std::vector<float> x = {2, 1, kNan, kNan, kNan, kNan, kNan, kNan};
  EXPECT_EQ(multiply(runtime(), problem_of(2, 1, 2), a, x), (std::vector<float>{4, 10}));
}

TEST_P(Conformance, CaseW10_SameBitsTwice_AsF32) {
  GemmSpec spec = is("ref") ? spec_of(127, 127, 127) : spec_of(1278, 1278, 1278);
  spec.fill = Fill::kRandom;
  const GemmData data(spec);
  const std::vector<float> first = run_gemm(runtime(), spec, data).value();
  const std::vector<float> second = run_gemm(runtime(), spec, data).value();
  EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(float)), 0);
}

TEST_P(Conformance, CaseW11_DepthNineWithFractionalBeta) {
  for (int64_t k = 1; k <= 40; ++k) {
    GemmSpec spec = spec_of(1, 1, k);
    spec.beta = 1.5F;
    EXPECT_TRUE(check_gemm(runtime(), spec));
  }
}

TEST_P(Conformance, CaseW13_DepthOneWithStridedWeights) {
  GemmSpec spec = spec_of(20, 30, 1);
  for (const int64_t stride : {1, 3, 31}) {
    spec.b = MatrixLayout::strided(17, stride);
    EXPECT_TRUE(check_gemm(runtime(), spec));
    spec.b = MatrixLayout::transposed(stride);
    EXPECT_TRUE(check_gemm(runtime(), spec));
  }
}

TEST_P(Conformance, CaseW14_OneColumnWithAnyStride) {
  GemmSpec one = spec_of(24, 1, 16);
  GemmSpec two = one;
  one.b = MatrixLayout::strided(1, 1);
  two.b = MatrixLayout::strided(1, 16);
  EXPECT_TRUE(check_gemm(runtime(), one));
  EXPECT_TRUE(check_gemm(runtime(), two));
  EXPECT_EQ(plan_line(runtime(), one.problem()), plan_line(runtime(), two.problem()));
  for (int64_t m = 1; m < 30; ++m) EXPECT_TRUE(check_gemm(runtime(), spec_of(m, 1, 16)));
  EXPECT_TRUE(check_gemm(runtime(), one));
}

TEST_P(Conformance, CaseW16_Scaled_AsF32) {
  GemmSpec spec = spec_of(3, 4, 20);
  spec.alpha = 0.5F;
  EXPECT_TRUE(check_gemm(runtime(), spec));
}

TEST_P(Conformance, CaseW17_NoSaturation_AsF32) {
  const std::vector<float> a = {-47, -123, -10, 92,   -96, -38, 82,  40,
                                70,  -60,  -66, -127, -46, -91, 109, 101};
  const std::vector<float> b = {124, 8,   -74, 32,  -40, 4,   -50, -84,
                                103, -84, 88,  -66, 24,  115, 123, 54};
  const std::vector<float> c = {270,  10552, 20064,  14456, -978,  -3208, 21140, -3132,
                                1234, -8741, -23609, 4778,  11587, 1727,  29969, 4432};
  EXPECT_EQ(multiply(runtime(), problem_of(4, 4, 4), a, b), c);
}

TEST_P(Conformance, CaseW18_NoSaturation_AsF32) {
  EXPECT_EQ(multiply(runtime(), problem_of(1, 1, 2), {255, 255}, {127, 127}),
            std::vector<float>{64770});
}

TEST_P(Conformance, CaseW28_DepthOffEveryTile_AsF32) {
  for (const auto& [m, n, k, bt] : {std::tuple<int64_t, int64_t, int64_t, bool>{128, 1024, 3, true},
                                    {1024, 128, 1, true},
                                    {128, 1024, 133, false},
                                    {128, 128, 133, false}}) {
    GemmSpec spec = spec_of(m, n, k);
    if (bt) spec.a = MatrixLayout::transposed();
    spec.b = MatrixLayout::transposed();
    EXPECT_TRUE(check_gemm(runtime(), spec));
  }
}

TEST_P(Conformance, CaseW31_DeepWithOutputOfNan_AsF32Smaller) {
  GemmSpec spec = spec_of(54, 97, 2560);
  spec.a = MatrixLayout::transposed();
  EXPECT_TRUE(check_gemm(runtime(), spec));
}

TEST_P(Conformance, CaseW32_OneByTwo_AsF32) {
  EXPECT_TRUE(check_gemm(runtime(), spec_of(1, 2, 1)));
}

TEST_P(Conformance, CaseW34_W35_RowsBeyondGridLimits) {
  for (const int64_t m : {524280, 524288, 600000, 2000003}) {
    EXPECT_TRUE(check_gemm(runtime(), spec_of(m, 3, 2)));
  }
}

TEST_P(Conformance, CaseW38_OnesTimesOnes) {
  for (const std::size_t rows : {2097153U, 2097154U, 4268174U}) {
    const std::vector<float> a(rows * 2, 1), b(4, 1);
    const std::vector<float> c =
        multiply(runtime(), problem_of(static_cast<int64_t>(rows), 2, 2), a, b);
    EXPECT_EQ(std::count(c.begin(), c.end(), 2.0F), static_cast<int64_t>(c.size()));
  }
}

TEST_P(Conformance, CaseW39_W40_GroupsWithoutDepthOrRows_AsF32) {
  EXPECT_EQ(multiply(runtime(), problem_of(16, 16, 0), {}, {}), std::vector<float>(256, 0));
  GemmArgs none;
  EXPECT_TRUE(runtime().gemm(problem_of(0, 16, 16), none).ok());
}

TEST_P(Conformance, CaseW43_SquaresOfTwoAndThree) {
  for (const int64_t size : {2, 3}) {
    GemmSpec spec = spec_of(size, size, size);
    spec.fill = Fill::kRandom;
    EXPECT_TRUE(check_gemm(runtime(), spec));
  }
}

TEST_P(Conformance, CaseW45_DeepSumsKeepTheirPrecision_AsF32) {
  GemmSpec spec = spec_of(8, 48, 14336);
  spec.b = MatrixLayout::transposed();
  spec.fill = Fill::kRandom;
  EXPECT_TRUE(check_gemm(runtime(), spec));
}

TEST_P(Conformance, CaseW47_W49_PartialTilesOverNanAndInf) {
  for (const float special : {kNan, std::numeric_limits<float>::infinity()}) {
    for (int64_t size = 1; size < 70; size += 3) {
      const GemmSpec spec = spec_of(size, 71 - size, 9);
      GemmData data(spec);
      data.c.fill_with([&](int64_t, int64_t) { return special; });
      EXPECT_TRUE(check_gemm(runtime(), spec, data));
    }
  }
}

TEST_P(Conformance, CaseW50_WideTransposedB_AsF32) {
  GemmSpec spec = spec_of(64, 4096, 64);
  spec.b = MatrixLayout::transposed();
  EXPECT_TRUE(check_gemm(runtime(), spec));
}

}  // namespace
}  // namespace mikpoly::testing
