// Zero sizes, alpha and beta: rows Z.
#include <cmath>
#include <limits>

#include "tests/support/conformance.h"

namespace mikpoly::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

GemmProblem problem_of(int64_t m, int64_t n, int64_t k) {
  GemmProblem p;
  p.m = m;
  p.n = n;
  p.k = k;
  return p;
}

Status run(Runtime& runtime, const GemmProblem& p, std::vector<float>* c, float alpha, float beta) {
  GemmArgs args;
  args.c = c->data();
  args.alpha = alpha;
  args.beta = beta;
  return runtime.gemm(p, args);
}

TEST_P(Conformance, CaseZ1_NoDepthGivesZeros) {
  std::vector<float> c(256, kNan);
  ASSERT_TRUE(run(runtime(), problem_of(16, 16, 0), &c, 1, 0).ok());
  EXPECT_EQ(c, std::vector<float>(256, 0));
}

TEST_P(Conformance, CaseZ3_Z5_NoDepthScalesCWithNullInputs) {
  for (const float beta : {0.0F, 0.5F, -1.0F, 1.0F, 3.0F}) {
    std::vector<float> c(35, 2);
    ASSERT_TRUE(run(runtime(), problem_of(5, 7, 0), &c, 1, beta).ok());
    EXPECT_EQ(c, std::vector<float>(35, 2 * beta));
  }
}

TEST_P(Conformance, CaseZ6_Z7_Z8_EachSizeZero) {
  for (const MatrixLayout& a : {MatrixLayout::row_major(), MatrixLayout::transposed()}) {
    for (const MatrixLayout& b : {MatrixLayout::row_major(), MatrixLayout::transposed()}) {
      GemmProblem p = problem_of(0, 3, 4);
      p.a = a;
      p.b = b;
      EXPECT_TRUE(runtime().gemm(p, {}).ok());
      p.m = 4;
      p.n = 0;
      EXPECT_TRUE(runtime().gemm(p, {}).ok());
      p.n = 3;
      p.k = 0;
      std::vector<float> c(12, kNan);
      EXPECT_TRUE(run(runtime(), p, &c, 1, 0).ok());
      EXPECT_EQ(c, std::vector<float>(12, 0));
    }
  }
}

TEST_P(Conformance, CaseZ9_ScalarTable) {
  struct Row {
    float alpha, beta, planted, want;
  };
  // C holds 4 except where something is planted; A and B stay null, so they can't be read.
  const Row rows[] = {
      {0, 1, kNan, kNan}, {0, 1, 4, 4}, {0, 0, kNan, 0}, {0, 2, 4, 8}, {0, -0.5F, 4, -2}};
  for (const Row& row : rows) {
    std::vector<float> c(6, row.planted);
    ASSERT_TRUE(run(runtime(), problem_of(2, 3, 5), &c, row.alpha, row.beta).ok());
    for (const float x : c) {
      EXPECT_TRUE(std::isnan(row.want) ? std::isnan(x) : x == row.want) << x;
    }
  }
}

TEST_P(Conformance, CaseZ11_BothScalarsZeroNeverReadC) {
  const int64_t shapes[][3] = {{100, 100, 100}, {100, 50, 100}, {50, 100, 50}, {25, 50, 75}};
  for (const auto& shape : shapes) {
    for (int transposes = 0; transposes < 4; ++transposes) {
      GemmSpec spec;
      spec.m = shape[0];
      spec.n = shape[1];
      spec.k = shape[2];
      if ((transposes & 1) != 0) spec.a = MatrixLayout::transposed();
      if ((transposes & 2) != 0) spec.b = MatrixLayout::transposed();
      spec.alpha = 0;
      EXPECT_TRUE(check_gemm(runtime(), spec));
    }
  }
}

TEST_P(Conformance, CaseZ12_NothingAtAll) {
  EXPECT_TRUE(runtime().gemm(problem_of(0, 0, 0), {}).ok());
}

TEST_P(Conformance, CaseZ15_ShortLdWritesNothing) {
  GemmProblem p = problem_of(3, 4, 2);
  p.c.ld = 3;
  std::vector<float> a(6, 1), b(8, 1), c(12, 5);
  GemmArgs args;
  args.a = a.data();
  args.b = b.data();
  args.c = c.data();
  const Status status = runtime().gemm(p, args);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("c.ld is 3"), std::string::npos) << status.message();
  EXPECT_EQ(c, std::vector<float>(12, 5));
}

}  // namespace
}  // namespace mikpoly::testing
