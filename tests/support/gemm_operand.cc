#include "tests/support/gemm_operand.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace mikpoly::testing {
namespace {

constexpr uint32_t kCanary = 0x7fc0beefU;  // a quiet NaN

// SplitMix64.
uint64_t scramble(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

int64_t row_stride(int64_t rows, int64_t cols, const MatrixLayout& layout) {
  (void)rows;
  if (layout.kind == MatrixLayout::Kind::kStrided) return layout.row_stride;
  if (layout.kind == MatrixLayout::Kind::kTransposed) return 1;
  return layout.ld > 0 ? layout.ld : cols;
}

int64_t col_stride(int64_t rows, const MatrixLayout& layout) {
  if (layout.kind == MatrixLayout::Kind::kStrided) return layout.col_stride;
  if (layout.kind == MatrixLayout::Kind::kTransposed) return layout.ld > 0 ? layout.ld : rows;
  return 1;
}

int64_t span_of(int64_t rows, int64_t cols, int64_t row, int64_t col) {
  if (rows == 0 || cols == 0) return 0;
  return (rows > 1 ? (rows - 1) * row : 0) + (cols > 1 ? (cols - 1) * col : 0) + 1;
}

}  // namespace

Operand::Operand(int64_t rows, int64_t cols, const MatrixLayout& layout, GuardBuffer::Guard guard)
    : rows_(rows),
      cols_(cols),
      row_stride_(rows > 1 ? row_stride(rows, cols, layout) : 0),
      col_stride_(cols > 1 ? col_stride(rows, layout) : 0),
      span_(span_of(rows, cols, row_stride_, col_stride_)),
      memory_(static_cast<std::size_t>(span_) * sizeof(float), guard),
      data_(static_cast<float*>(memory_.data())) {
  std::fill_n(reinterpret_cast<uint32_t*>(data_), span_, kCanary);
}

void Operand::fill_with(const std::function<float(int64_t, int64_t)>& value) {
  for (int64_t i = 0; i < rows_; ++i) {
    for (int64_t j = 0; j < cols_; ++j) at(i, j) = value(i, j);
  }
}

void Operand::fill(Fill fill, uint64_t seed) {
  uint64_t state = scramble(seed);
  fill_with([&](int64_t, int64_t) {
    state = scramble(state);
    if (fill == Fill::kIntegers) return static_cast<float>(static_cast<int64_t>(state % 7) - 3);
    if (fill == Fill::kNan) return std::numeric_limits<float>::quiet_NaN();
    return static_cast<float>(static_cast<double>(state >> 40) * 0x1p-23 - 1);
  });
}

double Operand::largest() const {
  double most = 0;
  for (int64_t i = 0; i < rows_; ++i) {
    for (int64_t j = 0; j < cols_; ++j) {
      if (std::isfinite(at(i, j))) most = std::max(most, std::abs(double{at(i, j)}));
    }
  }
  return most;
}

bool Operand::padding_intact() const {
  std::vector<bool> used(static_cast<std::size_t>(span_), false);
  for (int64_t i = 0; i < rows_; ++i) {
    for (int64_t j = 0; j < cols_; ++j) {
      used[static_cast<std::size_t>(i * row_stride_ + j * col_stride_)] = true;
    }
  }
  for (int64_t i = 0; i < span_; ++i) {
    if (!used[static_cast<std::size_t>(i)] && std::bit_cast<uint32_t>(data_[i]) != kCanary) {
      return false;
    }
  }
  return true;
}

}  // namespace mikpoly::testing
