// Shapes, layouts and memory: what every backend must get right, whatever its kernels.
#include <algorithm>
#include <cstring>
#include <random>

#include "core/runtime/tools.h"
#include "planner/search.h"
#include "tests/support/conformance.h"

namespace mikpoly::testing {
namespace {

using Guard = GuardBuffer::Guard;

INSTANTIATE_TEST_SUITE_P(Targets, Conformance, ::testing::ValuesIn(targets()), target_name);

// Around blocks and vectors, and primes.
constexpr int64_t kSizes[] = {1,  2,  3,  4,  5,  7,  8,  9,  13, 15, 16, 17, 19,
                              23, 31, 32, 33, 37, 47, 48, 49, 63, 64, 65, 70};

int64_t pick(std::mt19937_64& random) { return kSizes[random() % std::size(kSizes)]; }

MatrixLayout any_layout(std::mt19937_64& random, int64_t rows, int64_t cols) {
  const auto pad = static_cast<int64_t>(random() % 3) * 5;
  return random() % 2 == 0 ? MatrixLayout::row_major(cols + pad)
                           : MatrixLayout::transposed(rows + pad);
}

TEST_P(Conformance, OddSizesInEveryOrder) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    GemmSpec spec;
    spec.m = pick(random);
    spec.n = pick(random);
    spec.k = pick(random);
    spec.a = any_layout(random, spec.m, spec.k);
    spec.b = any_layout(random, spec.k, spec.n);
    spec.c = any_layout(random, spec.m, spec.n);
    spec.alpha = i % 3 == 0 ? 2.0F : 1.0F;
    spec.beta = static_cast<float>(i % 4 == 0 ? -1 : i % 4 == 1 ? 1 : 0);
    spec.threads = 1 + i % 2;
    spec.packed = i % 5 == 0;
    spec.fill = i % 2 == 0 ? Fill::kIntegers : Fill::kRandom;
    spec.guard = i % 3 == 0 ? Guard::kBefore : Guard::kBehind;
    spec.seed = static_cast<uint64_t>(i);
    ASSERT_TRUE(check_gemm(runtime(), spec));
  }
}

TEST_P(Conformance, EveryTransposeWithAndWithoutPadding) {
  for (int bits = 0; bits < 64; ++bits) {
    GemmSpec spec;
    spec.m = 35;
    spec.n = 50;
    spec.k = 29;
    const auto layout = [&](int shift, int64_t rows, int64_t cols) {
      const bool transposed = (bits >> shift & 1) != 0;
      const int64_t pad = (bits >> (shift + 1) & 1) != 0 ? 3 : 0;
      return transposed ? MatrixLayout::transposed(rows + pad)
                        : MatrixLayout::row_major(cols + pad);
    };
    spec.a = layout(0, spec.m, spec.k);
    spec.b = layout(2, spec.k, spec.n);
    spec.c = layout(4, spec.m, spec.n);
    spec.beta = 1;
    ASSERT_TRUE(check_gemm(runtime(), spec));
    spec.packed = true;
    ASSERT_TRUE(check_gemm(runtime(), spec));
  }
}

TEST_P(Conformance, GeneralStridesAndBroadcast) {
  const MatrixLayout a_layouts[] = {MatrixLayout::strided(61, 2), MatrixLayout::strided(3, 100),
                                    MatrixLayout::strided(0, 1),  MatrixLayout::strided(1, 0),
                                    MatrixLayout::strided(0, 0),  MatrixLayout::strided(1, 1)};
  const MatrixLayout b_layouts[] = {MatrixLayout::strided(81, 2), MatrixLayout::strided(2, 70),
                                    MatrixLayout::strided(0, 1),  MatrixLayout::strided(1, 0),
                                    MatrixLayout::strided(0, 0),  MatrixLayout::strided(2, 1)};
  const MatrixLayout c_layouts[] = {MatrixLayout::row_major(), MatrixLayout::strided(90, 2),
                                    MatrixLayout::strided(3, 120), MatrixLayout::strided(2, 67)};
  for (const MatrixLayout& a : a_layouts) {
    for (const MatrixLayout& b : b_layouts) {
      for (const MatrixLayout& c : c_layouts) {
        GemmSpec spec;
        spec.m = 33;
        spec.n = 40;
        spec.k = 30;
        spec.a = a;
        spec.b = b;
        spec.c = c;
        spec.beta = 2;
        ASSERT_TRUE(check_gemm(runtime(), spec));
        spec.packed = true;
        spec.beta = 0;
        ASSERT_TRUE(check_gemm(runtime(), spec));
      }
    }
  }
}

// Rows and columns of C interleave without sharing a place.
TEST_P(Conformance, OutputWithInterleavedStrides) {
  GemmSpec spec;
  spec.m = 2;
  spec.n = 3;
  spec.k = 5;
  spec.c = MatrixLayout::strided(3, 2);
  EXPECT_TRUE(check_gemm(runtime(), spec));
  spec.beta = 1;
  EXPECT_TRUE(check_gemm(runtime(), spec));
}

TEST_P(Conformance, StridesOfSizeOneDimensionsAreIgnored) {
  for (const int64_t odd : {int64_t{0}, int64_t{1}, int64_t{7}, int64_t{-4}, INT64_MAX}) {
    GemmSpec column;
    column.m = 40;
    column.k = 30;
    column.n = 1;
    column.b = MatrixLayout::strided(1, odd);
    column.c = MatrixLayout::strided(1, odd);
    EXPECT_TRUE(check_gemm(runtime(), column));
    GemmSpec row;
    row.m = 1;
    row.k = 30;
    row.n = 40;
    row.a = MatrixLayout::strided(odd, 1);
    row.c = MatrixLayout::strided(odd, 1);
    EXPECT_TRUE(check_gemm(runtime(), row));
    GemmSpec outer;
    outer.m = 20;
    outer.k = 1;
    outer.n = 30;
    outer.a = MatrixLayout::strided(1, odd);
    outer.b = MatrixLayout::strided(odd, 1);
    EXPECT_TRUE(check_gemm(runtime(), outer));
  }
}

TEST_P(Conformance, TallFlatAndDeep) {
  const int64_t shapes[][3] = {{1000, 3, 5},  {3, 1000, 5},   {1, 2000, 3},   {2000, 1, 3},
                               {1, 1, 20000}, {8, 8, 5000},   {257, 1, 300},  {1, 257, 300},
                               {129, 127, 2}, {500, 31, 500}, {31, 500, 129}, {300, 300, 300}};
  for (const auto& shape : shapes) {
    for (const int threads : {1, 2}) {
      for (const Fill fill : {Fill::kIntegers, Fill::kRandom}) {
        GemmSpec spec;
        spec.m = shape[0];
        spec.n = shape[1];
        spec.k = shape[2];
        spec.threads = threads;
        spec.fill = fill;
        ASSERT_TRUE(check_gemm(runtime(), spec));
        spec.packed = true;
        spec.beta = 0.5F;
        ASSERT_TRUE(check_gemm(runtime(), spec));
      }
    }
  }
}

TEST_P(Conformance, UnalignedPointers) {
  std::vector<float> a(4000, 1), b(4000, 2), c(4000);
  for (int shift = 0; shift < 16; ++shift) {
    GemmProblem problem;
    problem.m = 23;
    problem.n = 37;
    problem.k = 19;
    GemmArgs args;
    args.a = a.data() + shift;
    args.b = b.data() + shift * 3 % 16;
    args.c = c.data() + shift * 5 % 16;
    std::fill(c.begin(), c.end(), -1.0F);
    ASSERT_TRUE(runtime().gemm(problem, args).ok());
    const auto first = c.begin() + shift * 5 % 16;
    EXPECT_EQ(std::count(first, first + 23 * 37, 38.0F), 23 * 37);
    EXPECT_EQ(std::count(c.begin(), c.end(), -1.0F), 4000 - 23 * 37);
  }
}

TEST_P(Conformance, OnePackedMatrixServesEveryM) {
  for (const int64_t n : {int64_t{1}, int64_t{7}, int64_t{50}, int64_t{130}}) {
    GemmSpec spec;
    spec.n = n;
    spec.k = 67;
    const GemmData weights(spec);
    const Result<PackedMatrix> packed =
        runtime().pack(weights.b.data(), spec.k, spec.n, DType::kF32);
    ASSERT_TRUE(packed.ok()) << packed.status().message();
    EXPECT_EQ(packed.value().rows(), spec.k);
    EXPECT_EQ(packed.value().cols(), spec.n);
    for (const int64_t m : {1, 2, 3, 5, 8, 17, 64, 100, 333}) {
      spec.m = m;
      const GemmData data(spec);
      GemmArgs args;
      args.a = data.a.data();
      args.b_packed = &packed.value();
      args.c = data.c.data();
      GemmProblem problem = spec.problem();
      problem.b = MatrixLayout::packed();
      ASSERT_TRUE(runtime().gemm(problem, args).ok());
      const std::vector<float> got(data.c.data(), data.c.data() + m * n);
      const Result<std::vector<float>> plain = run_gemm(runtime(), spec, data);
      ASSERT_TRUE(plain.ok());
      ASSERT_EQ(got, plain.value()) << m << " rows, " << n << " columns";
    }
  }
}

TEST_P(Conformance, SameBitsOnRepeat) {
  const int64_t shapes[][3] = {{70, 90, 300}, {5, 5, 9000}, {257, 129, 65}};
  for (const auto& shape : shapes) {
    for (const int threads : {1, 2}) {
      GemmSpec spec;
      spec.m = shape[0];
      spec.n = shape[1];
      spec.k = shape[2];
      spec.threads = threads;
      spec.fill = Fill::kRandom;
      const GemmData data(spec);
      const std::vector<float> first = run_gemm(runtime(), spec, data).value();
      for (int i = 0; i < 5; ++i) {
        const std::vector<float> again = run_gemm(runtime(), spec, data).value();
        ASSERT_EQ(std::memcmp(first.data(), again.data(), first.size() * sizeof(float)), 0)
            << plan_line(runtime(), spec.problem());
      }
    }
  }
}

TEST_P(Conformance, PlanThenRunEqualsGemm) {
  GemmSpec spec;
  spec.m = 90;
  spec.n = 110;
  spec.k = 700;
  spec.fill = Fill::kRandom;
  const GemmData data(spec);
  const std::vector<float> direct = run_gemm(runtime(), spec, data).value();
  const Result<GemmPlan> plan = runtime().plan(spec.problem());
  ASSERT_TRUE(plan.ok());
  EXPECT_FALSE(plan.value().to_string().empty());
  EXPECT_FALSE(plan.value().explain().empty());
  EXPECT_GT(plan.value().predicted_ns(), 0);
  GuardBuffer scratch((plan.value().workspace_bytes() + 63) / 64 * 64, Guard::kBehind);
  GemmArgs args;
  args.a = data.a.data();
  args.b = data.b.data();
  args.c = data.c.data();
  const Workspace workspace{scratch.data(), plan.value().workspace_bytes()};
  ASSERT_TRUE(runtime().run(plan.value(), args, workspace).ok());
  const std::vector<float> got(data.c.data(), data.c.data() + spec.m * spec.n);
  EXPECT_EQ(std::memcmp(got.data(), direct.data(), got.size() * sizeof(float)), 0);
}

// The cheapest plans of the whole space, all patterns and K slices among them, give the right
// result.
TEST_P(Conformance, EveryPlanOfTheSpaceIsRight) {
  const int64_t shapes[][3] = {{100, 70, 33}, {33, 190, 2000}};
  for (const auto& shape : shapes) {
    GemmSpec spec;
    spec.m = shape[0];
    spec.n = shape[1];
    spec.k = shape[2];
    const GemmData data(spec);
    ASSERT_TRUE(check_gemm(runtime(), spec, data));
    const std::vector<float> right = run_gemm(runtime(), spec, data).value();
    const Result<PlanInput> input = plan_input(runtime(), spec.problem());
    ASSERT_TRUE(input.ok());
    GemmArgs args;
    args.a = data.a.data();
    args.b = data.b.data();
    args.c = data.c.data();
    const std::vector<Plan> all =
        rank_plans(input.value().shape, *input.value().catalog, input.value().options, 400);
    for (const Plan& plan : all) {
      std::fill(data.c.data(), data.c.data() + spec.m * spec.n, 99.0F);
      ASSERT_TRUE(run_plan(runtime(), spec.problem(), plan, args).ok());
      ASSERT_EQ(std::memcmp(data.c.data(), right.data(), right.size() * sizeof(float)), 0)
          << mikpoly::to_string(plan, *input.value().catalog);
    }
  }
}

}  // namespace
}  // namespace mikpoly::testing
