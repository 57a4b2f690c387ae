// A matrix of a test: exact memory between guard page and canaries, filled by a seed.
#pragma once

#include <cstdint>
#include <functional>

#include "mikpoly/problem.h"
#include "tests/support/guard_buffer.h"

namespace mikpoly::testing {

enum class Fill {
  kIntegers,  // small enough that no sum of a test rounds
  kRandom,    // uniform in [-1, 1)
  kNan,
};

class Operand {
 public:
  // Elements that the layout skips hold a NaN of a certain bit pattern.
  Operand(int64_t rows, int64_t cols, const MatrixLayout& layout, GuardBuffer::Guard guard);

  int64_t rows() const { return rows_; }
  int64_t cols() const { return cols_; }
  float* data() const { return data_; }
  float& at(int64_t row, int64_t col) const { return data_[row * row_stride_ + col * col_stride_]; }

  void fill(Fill fill, uint64_t seed);
  void fill_with(const std::function<float(int64_t, int64_t)>& value);
  // Of finite elements.
  double largest() const;
  // Whether every place that the layout skips still holds its bit pattern.
  bool padding_intact() const;

 private:
  int64_t rows_;
  int64_t cols_;
  int64_t row_stride_;
  int64_t col_stride_;
  int64_t span_;  // elements from the first to the last
  GuardBuffer memory_;
  float* data_;
};

}  // namespace mikpoly::testing
