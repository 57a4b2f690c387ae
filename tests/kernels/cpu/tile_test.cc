// Every register tile of kernels.inc and every smaller one, one suite an instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/cpu/kernel_sets.h"
#include "tests/kernels/cpu/kernel_operands.h"
#include "tests/support/guarded_floats.h"

namespace mikpoly::cpu {
namespace {

using testing::GuardedFloats;

class TileTest : public ::testing::TestWithParam<TileRow> {
 protected:
  void SetUp() override {
    set_ = find_kernel_set(GetParam().isa);
    if (set_ == nullptr) GTEST_SKIP() << GetParam().isa << " does not run on this processor";
  }
  const KernelSet* set_ = nullptr;
};

struct TileShape {
  int rows;
  int vectors;
  int tail;
  int64_t depth;
};

double expected(const float* a, int64_t a_row, int64_t a_k, const float* b, int64_t b_k, int i,
                int64_t j, int64_t depth) {
  double sum = 0;
  for (int64_t k = 0; k < depth; ++k) sum += double{a[i * a_row + k * a_k]} * b[k * b_k + j];
  return sum;
}

// Plain row-major operands that end at a guard page; C is padded and full of NaN where beta is 0.
void check_tile(const KernelSet& set, TileFn tile, const TileShape& s, bool along_k, float beta) {
  const int64_t cols = int64_t{s.vectors - 1} * set.lanes + s.tail;
  const int64_t c_row = cols + 3;
  GuardedFloats a(s.rows * s.depth);
  GuardedFloats b(s.depth * cols);
  GuardedFloats c((s.rows - 1) * c_row + cols);
  testing::fill_small(a.data(), s.rows * s.depth, 1);
  testing::fill_small(b.data(), s.depth * cols, 2);
  const float filler = beta == 0 ? std::numeric_limits<float>::quiet_NaN() : 3.0F;
  for (int64_t i = 0; i < (s.rows - 1) * c_row + cols; ++i) c[i] = filler;
  const int64_t a_row = along_k ? s.depth : 1;
  const int64_t a_k = along_k ? 1 : s.rows;
  TileArgs t{a.data(), b.data(), c.data(), a_row, a_k,  cols,    set.lanes,
             c_row,    s.depth,  s.tail,   2.0F,  beta, nullptr, 0};
  tile(t);
  for (int i = 0; i < s.rows; ++i) {
    for (int64_t j = 0; j < c_row && i * c_row + j < (s.rows - 1) * c_row + cols; ++j) {
      const float got = c[i * c_row + j];
      if (j >= cols) {
        ASSERT_TRUE(std::isnan(filler) ? std::isnan(got) : got == filler)
            << "canary behind row " << i;
        continue;
      }
      const double sum = expected(a.data(), a_row, a_k, b.data(), cols, i, j, s.depth);
      const double want = 2.0 * sum + (beta == 0 ? 0.0 : double{beta} * filler);
      ASSERT_EQ(got, want) << set.isa << " " << s.rows << "x" << s.vectors << " tail " << s.tail
                           << " depth " << s.depth << " beta " << beta << " at (" << i << ", " << j
                           << ")";
    }
  }
}

TEST_P(TileTest, EveryRowCountTailAndDepth) {
  const int vectors = GetParam().vectors;
  ASSERT_EQ(set_->max_rows[vectors], GetParam().rows) << "the row and the leaf disagree";
  for (int rows = 1; rows <= GetParam().rows; ++rows) {
    for (int tail = 1; tail <= set_->lanes; ++tail) {
      for (const int64_t depth : {1, 2, 17, 33}) {
        for (const float beta : {0.0F, 1.0F, -0.5F}) {
          const TileShape s{rows, vectors, tail, depth};
          check_tile(*set_, set_->tile_k[vectors][rows], s, true, beta);
          check_tile(*set_, set_->tile_m[vectors][rows], s, false, beta);
        }
      }
    }
  }
}

class DotTest : public TileTest {};

TEST_P(DotTest, EverySize) {
  ASSERT_EQ(set_->dot_rows, GetParam().rows);
  ASSERT_EQ(set_->dot_cols, GetParam().vectors);
  for (int rows = 1; rows <= set_->dot_rows; ++rows) {
    for (int cols = 1; cols <= set_->dot_cols; ++cols) {
      for (const int64_t depth : {1, 15, 16, 17, 40}) {
        GuardedFloats a(rows * depth);
        GuardedFloats b(cols * depth);
        GuardedFloats c(rows * cols);
        testing::fill_small(a.data(), rows * depth, 3);
        testing::fill_small(b.data(), cols * depth, 4);
        for (int i = 0; i < rows * cols; ++i) c[i] = std::numeric_limits<float>::quiet_NaN();
        set_->dot[rows][cols](
            {a.data(), b.data(), c.data(), depth, depth, cols, depth, -1.0F, 0.0F});
        for (int i = 0; i < rows; ++i) {
          for (int j = 0; j < cols; ++j) {
            double sum = 0;
            for (int64_t k = 0; k < depth; ++k) sum += double{a[i * depth + k]} * b[j * depth + k];
            ASSERT_EQ(c[i * cols + j], -sum) << set_->isa << " " << rows << "x" << cols << " at ("
                                             << i << ", " << j << "), depth " << depth;
          }
        }
      }
    }
  }
}

std::string row_name(const ::testing::TestParamInfo<TileRow>& info) {
  return std::string(info.param.isa) + "_" + std::to_string(info.param.rows) + "x" +
         std::to_string(info.param.vectors);
}

std::vector<TileRow> rows(bool dot) {
  std::vector<TileRow> some;
  for (const TileRow& row : tile_rows()) {
    if (row.dot == dot) some.push_back(row);
  }
  return some;
}

INSTANTIATE_TEST_SUITE_P(KernelsInc, TileTest, ::testing::ValuesIn(rows(false)), row_name);
INSTANTIATE_TEST_SUITE_P(KernelsInc, DotTest, ::testing::ValuesIn(rows(true)), row_name);

}  // namespace
}  // namespace mikpoly::cpu
