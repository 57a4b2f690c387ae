// Every register tile of kernels.inc and every smaller one, one suite an instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/cpu/kernel_sets.h"
#include "tests/kernels/cpu/kernel_operands.h"

namespace mikpoly::cpu {
namespace {

using testing::Element;
using testing::Elements;

class TileTest : public ::testing::TestWithParam<TileRow> {
 protected:
  void SetUp() override {
    set_ = find_kernel_set(GetParam().isa, GetParam().math);
    if (set_ == nullptr) {
      GTEST_SKIP() << GetParam().isa << " " << to_string(GetParam().math)
                   << " does not run on this processor";
    }
  }
  const KernelSet* set_ = nullptr;
};

struct TileShape {
  int rows;
  int vectors;
  int tail;
  int64_t depth;
  bool along_k;
  bool signed_a;
  double alpha;
  double beta;
};

std::string describe(const KernelSet& set, const TileShape& s) {
  return std::string(set.isa) + " " + to_string(set.math) + " " + std::to_string(s.rows) + "x" +
         std::to_string(s.vectors) + " tail " + std::to_string(s.tail) + " depth " +
         std::to_string(s.depth) + (s.along_k ? " along k" : " along m") + " beta " +
         std::to_string(s.beta) + (s.signed_a ? " signed" : "");
}

// B side by side, its groups of K filled up with zeros.
class TileOperands {
 public:
  TileOperands(const KernelSet& set, const TileShape& s)
      : group_(set.group),
        s_(s),
        cols_(int64_t{s.vectors - 1} * set.lanes + s.tail),
        groups_((s.depth + group_ - 1) / group_),
        a_(s.signed_a ? Element::kS8 : testing::types_of(set.math).a, a_count()),
        b_(testing::types_of(set.math).b, groups_ * group_ * cols_) {
    a_.fill(a_count(), 1);
    b_.fill(groups_ * group_ * cols_, 2);
    for (int64_t k = s.depth; k < groups_ * group_; ++k) {
      for (int64_t j = 0; j < cols_; ++j) b_.set(b_at(k, j), 0);
    }
  }

  int64_t cols() const { return cols_; }

  double sum(int64_t i, int64_t j) const {
    double total = 0;
    for (int64_t k = 0; k < s_.depth; ++k) {
      total += (a_.get(a_at(i, k)) + (s_.signed_a ? 128 : 0)) * b_.get(b_at(k, j));
    }
    return total;
  }

  TileArgs args(const KernelSet& set) {
    TileArgs t{};
    t.a = a_.data();
    t.b = b_.data();
    t.a_row = s_.along_k ? s_.depth : group_;
    t.a_k = s_.along_k ? group_ : s_.rows * group_;
    t.b_k = cols_ * group_;
    t.b_vector = int64_t{set.lanes} * group_;
    t.depth = s_.depth;
    t.tail = s_.tail;
    t.alpha = s_.alpha;
    t.beta = s_.beta;
    t.signed_a = s_.signed_a;
    return t;
  }

 private:
  int64_t a_count() const { return s_.rows * (s_.along_k ? s_.depth : groups_ * group_); }
  int64_t a_at(int64_t i, int64_t k) const {
    if (s_.along_k) return i * s_.depth + k;
    return (k / group_ * s_.rows + i) * group_ + k % group_;
  }
  int64_t b_at(int64_t k, int64_t j) const {
    return (k / group_ * cols_ + j) * group_ + k % group_;
  }

  int64_t group_;
  TileShape s_;
  int64_t cols_;
  int64_t groups_;
  Elements a_;
  Elements b_;
};

// C is padded, and full of NaN where beta is 0 and its type has one.
void check_tile(const KernelSet& set, const TileShape& s) {
  TileOperands operands(set, s);
  const int64_t cols = operands.cols();
  const int64_t c_row = cols + 3;
  const int64_t count = (s.rows - 1) * c_row + cols;
  const Element type = testing::types_of(set.math).sum;
  Elements c(type, count);
  const bool nan = s.beta == 0 && type != Element::kS32;
  const double filler = nan ? std::numeric_limits<double>::quiet_NaN() : 3;
  for (int64_t i = 0; i < count; ++i) c.set(i, filler);
  TileArgs t = operands.args(set);
  t.c = c.data();
  t.c_row = c_row;
  (s.along_k ? set.tile_k : set.tile_m)[s.vectors][s.rows](t);
  for (int i = 0; i < s.rows; ++i) {
    for (int64_t j = 0; j < c_row && i * c_row + j < count; ++j) {
      const double got = c.get(i * c_row + j);
      if (j >= cols) {
        ASSERT_TRUE(nan ? std::isnan(got) : got == filler)
            << describe(set, s) << ": behind row " << i;
        continue;
      }
      const double want = s.alpha * operands.sum(i, j) + (s.beta == 0 ? 0.0 : s.beta * filler);
      ASSERT_EQ(got, want) << describe(set, s) << " at (" << i << ", " << j << ")";
    }
  }
}

TEST_P(TileTest, EveryRowCountTailAndDepth) {
  const int vectors = GetParam().vectors;
  ASSERT_EQ(set_->max_rows[vectors], GetParam().rows) << "the row and the leaf disagree";
  const bool integers = set_->sum_columns != nullptr;
  const std::vector<double> betas =
      integers ? std::vector<double>{0, 1} : std::vector<double>{0, 1, -0.5};
  for (int rows = 1; rows <= GetParam().rows; ++rows) {
    for (int tail = 1; tail <= set_->lanes; ++tail) {
      for (const int64_t depth : {1, 2, 17, 34, 67}) {
        for (const double beta : betas) {
          for (const bool along_k : {true, false}) {
            for (const bool is_signed : {false, true}) {
              if (is_signed && set_->math != Math::kS8) continue;
              check_tile(*set_, {rows, vectors, tail, depth, along_k, is_signed,
                                 integers ? 1.0 : 2.0, beta});
              if (HasFatalFailure()) return;
            }
          }
        }
      }
    }
  }
}

class DotTest : public TileTest {};

TEST_P(DotTest, EverySize) {
  ASSERT_EQ(set_->dot_rows, GetParam().rows);
  ASSERT_EQ(set_->dot_cols, GetParam().vectors);
  const testing::TileTypes types = testing::types_of(set_->math);
  for (int rows = 1; rows <= set_->dot_rows; ++rows) {
    for (int cols = 1; cols <= set_->dot_cols; ++cols) {
      for (const int64_t depth : {1, 15, 16, 17, 31, 32, 33, 40, 75}) {
        Elements a(types.a, rows * depth);
        Elements b(types.b, cols * depth);
        Elements c(types.sum, rows * cols);
        a.fill(rows * depth, 3);
        b.fill(cols * depth, 4);
        for (int i = 0; i < rows * cols; ++i) c.set(i, std::numeric_limits<double>::quiet_NaN());
        set_->dot[rows][cols]({a.data(), b.data(), c.data(), depth, depth, cols, depth, -1.0, 0.0});
        for (int i = 0; i < rows; ++i) {
          for (int j = 0; j < cols; ++j) {
            double sum = 0;
            for (int64_t k = 0; k < depth; ++k) sum += a.get(i * depth + k) * b.get(j * depth + k);
            ASSERT_EQ(c.get(i * cols + j), -sum)
                << set_->isa << " " << to_string(set_->math) << " " << rows << "x" << cols
                << " at (" << i << ", " << j << "), depth " << depth;
          }
        }
      }
    }
  }
}

std::string row_name(const ::testing::TestParamInfo<TileRow>& info) {
  return std::string(info.param.isa) + "_" + to_string(info.param.math) + "_" +
         std::to_string(info.param.rows) + "x" + std::to_string(info.param.vectors);
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

// Extremes of the integers: no product and no pair of products may saturate on the way.
TEST(IntegerTiles, ExtremesAreExact) {
  for (const KernelSet* set : usable_kernel_sets()) {
    if (set->sum_columns == nullptr) continue;
    const bool quads = set->math == Math::kS8;
    for (const int b_value : {127, -128}) {
      const int64_t depth = 64;
      Elements a(quads ? Element::kU8 : Element::kS16, depth);
      Elements b(quads ? Element::kS8 : Element::kS16, depth * set->lanes);
      Elements c(Element::kS32, set->lanes);
      for (int64_t i = 0; i < depth; ++i) a.set(i, 255);
      for (int64_t i = 0; i < depth * set->lanes; ++i) b.set(i, b_value);
      TileArgs t{};
      t.a = a.data();
      t.b = b.data();
      t.c = c.data();
      t.a_row = depth;
      t.a_k = set->group;
      t.b_k = t.b_vector = int64_t{set->lanes} * set->group;
      t.c_row = set->lanes;
      t.depth = depth;
      t.tail = set->lanes;
      t.alpha = 1;
      set->tile_k[1][1](t);
      for (int j = 0; j < set->lanes; ++j) EXPECT_EQ(c.get(j), 255.0 * b_value * depth) << set->isa;
    }
  }
}

}  // namespace
}  // namespace mikpoly::cpu
