// Scalars, empty sizes, NaN and infinities.
#include <algorithm>
#include <limits>

#include "tests/support/conformance.h"

namespace mikpoly::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// Every pair of scalars, with a special value planted in each operand in turn. Where the formula
// does not read an operand the value must leave no trace.
TEST_P(Conformance, AlphaBetaTableWithSpecialValues) {
  const int64_t shapes[][3] = {{19, 37, 11}, {70, 50, 90}, {1, 33, 40}, {40, 1, 33}};
  const float scalars[][2] = {{0, 1}, {0, 0}, {0, 2}, {0, -1}, {1, 0},  {2, 0},
                              {1, 1}, {1, 2}, {2, 3}, {-1, 1}, {3, -2}, {0.5F, 0.25F}};
  for (const auto& shape : shapes) {
    for (const auto& scalar : scalars) {
      for (const float special : {0.0F, kNan, kInf, -kInf}) {
        for (int operand = 0; operand < 3; ++operand) {
          GemmSpec spec;
          spec.m = shape[0];
          spec.n = shape[1];
          spec.k = shape[2];
          spec.alpha = scalar[0];
          spec.beta = scalar[1];
          GemmData data(spec);
          const Operand& x = operand == 0 ? data.a : operand == 1 ? data.b : data.c;
          x.at(x.rows() / 2, x.cols() / 3) = special;
          const auto at = static_cast<std::size_t>(x.rows() / 2 * x.cols() + x.cols() / 3);
          if (operand == 2) data.c_before[at] = special;
          ASSERT_TRUE(check_gemm(runtime(), spec, data)) << "operand " << operand << " " << special;
        }
      }
    }
  }
}

TEST_P(Conformance, BetaZeroNeverReadsC) {
  for (const int64_t size : {1, 3, 17, 33, 64, 100}) {
    for (const float alpha : {1.0F, 2.0F, 0.0F}) {
      GemmSpec spec;
      spec.m = size;
      spec.n = size + 1;
      spec.k = 20;
      spec.alpha = alpha;
      EXPECT_TRUE(check_gemm(runtime(), spec));  // C holds NaN
      spec.packed = true;
      EXPECT_TRUE(check_gemm(runtime(), spec));
    }
  }
}

TEST_P(Conformance, AlphaZeroOrDepthZeroNeedsNoInputs) {
  for (const float beta : {0.0F, 1.0F, 3.0F}) {
    for (const int64_t k : {int64_t{0}, int64_t{9}}) {
      GemmProblem problem;
      problem.m = 5;
      problem.n = 7;
      problem.k = k;
      std::vector<float> c(35, 2.0F);
      if (beta == 0.0F) c.assign(35, kNan);
      GemmArgs args;
      args.c = c.data();
      args.alpha = k == 0 ? 1.0F : 0.0F;
      args.beta = beta;
      ASSERT_TRUE(runtime().gemm(problem, args).ok());
      for (const float x : c) EXPECT_EQ(x, beta == 0.0F ? 0.0F : beta * 2.0F);
      problem.b = MatrixLayout::packed();
      ASSERT_TRUE(runtime().gemm(problem, args).ok());
    }
  }
}

TEST_P(Conformance, EmptyOutputIsANoOpWithNullPointers) {
  for (int bits = 1; bits < 8; ++bits) {
    GemmProblem problem;
    problem.m = (bits & 1) != 0 ? 0 : 4;
    problem.n = (bits & 2) != 0 ? 0 : 5;
    problem.k = (bits & 4) != 0 ? 0 : 6;
    if (problem.m > 0 && problem.n > 0) continue;
    for (const MatrixLayout& layout : {MatrixLayout::row_major(), MatrixLayout::transposed()}) {
      problem.a = problem.b = problem.c = layout;
      EXPECT_TRUE(runtime().gemm(problem, {}).ok());
      const Result<GemmPlan> plan = runtime().plan(problem);
      ASSERT_TRUE(plan.ok());
      EXPECT_EQ(plan.value().workspace_bytes(), 0U);
      EXPECT_FALSE(plan.value().to_string().empty());
      EXPECT_FALSE(plan.value().explain().empty());
      EXPECT_FALSE(plan.value().to_svg().empty());
      EXPECT_TRUE(runtime().run(plan.value(), {}).ok());
    }
  }
}

TEST_P(Conformance, PacksEmptyMatrices) {
  for (const auto& [k, n] : {std::pair<int64_t, int64_t>{0, 5}, {5, 0}, {0, 0}}) {
    const Result<PackedMatrix> packed = runtime().pack(nullptr, k, n, DType::kF32);
    ASSERT_TRUE(packed.ok()) << packed.status().message();
    GemmProblem problem;
    problem.m = 3;
    problem.n = n;
    problem.k = k;
    problem.b = MatrixLayout::packed();
    std::vector<float> c(15, kNan);
    GemmArgs args;
    args.b_packed = &packed.value();
    args.c = c.data();
    ASSERT_TRUE(runtime().gemm(problem, args).ok());
    EXPECT_EQ(std::count(c.begin(), c.end(), 0.0F), n > 0 ? 15 : 0);
  }
}

// A row or column of NaN reaches exactly the outputs that the formula says.
TEST_P(Conformance, NanStaysInItsRowAndColumn) {
  for (const int64_t size : {17, 50, 97}) {
    GemmSpec spec;
    spec.m = size;
    spec.n = size + 3;
    spec.k = size - 2;
    GemmData data(spec);
    data.a.at(size - 1, 0) = kNan;
    data.b.at(0, size + 2) = kInf;
    ASSERT_TRUE(check_gemm(runtime(), spec, data));
    spec.packed = true;
    ASSERT_TRUE(check_gemm(runtime(), spec, data));
  }
}

TEST_P(Conformance, LargeAndSmallMagnitudes) {
  for (const float scale : {1e-20F, 1e-10F, 1e10F, 1e18F}) {
    GemmSpec spec;
    spec.m = 30;
    spec.n = 40;
    spec.k = 50;
    spec.fill = Fill::kRandom;
    GemmData data(spec);
    data.a.fill_with(
        [&](int64_t i, int64_t j) { return scale * static_cast<float>((i * 7 + j * 3) % 11 - 5); });
    EXPECT_TRUE(check_gemm(runtime(), spec, data));
  }
}

}  // namespace
}  // namespace mikpoly::testing
