// Copies of operand blocks into the order the register tiles read: straight, transposing, or
// strided.
#pragma once

#include "kernels/cpu/kernel_set.h"

namespace mikpoly::cpu {
namespace {

inline int at_most(int64_t x, int limit) { return x < limit ? static_cast<int>(x) : limit; }

constexpr int64_t kRowsAhead = 16;   // how far on a straight copy fetches its source
constexpr int64_t kStepsAhead = 64;  // and a transposing one
// Rows of the source are contiguous.
template <class V>
void copy_rows(const float* src, int64_t row, int64_t rows, int64_t cols, int64_t padded_cols,
               float* dst, int64_t dst_row) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* s = src + r * row;
    float* d = dst + r * dst_row;
    int64_t c = 0;
    for (; c + V::kLanes <= cols; c += V::kLanes) {
      __builtin_prefetch(s + c + kRowsAhead * row, 0, 2);
      V::store(d + c, V::load(s + c));
    }
    for (; c < padded_cols; c += V::kLanes) {
      const auto in = V::first(c < cols ? at_most(cols - c, V::kLanes - 1) : 0);
      V::store(d + c, V::load(s + c, in), V::first(at_most(padded_cols - c, V::kLanes)));
    }
  }
}

// Columns of the source are contiguous: element (r, c) at src[c * col + r].
template <class V>
void copy_transposed(const float* src, int64_t col, int64_t rows, int64_t cols, int64_t padded_cols,
                     float* dst, int64_t dst_row) {
  for (int64_t c = 0; c < padded_cols; c += V::kLanes) {
    const int valid = c < cols ? at_most(cols - c, V::kLanes) : 0;
    const int stored = at_most(padded_cols - c, V::kLanes);
    const auto out = V::first(stored);
    for (int64_t r = 0; r < rows; r += V::kLanes) {
      const int depth = at_most(rows - r, V::kLanes);
      const auto in = V::first(depth);
      typename V::Vec block[V::kLanes];
      const float* s = src + c * col + r;
      for (int i = 0; i < V::kLanes; ++i) {
        __builtin_prefetch(s + i * col + kStepsAhead, 0, 2);
        block[i] = i >= valid           ? V::zero()
                   : depth == V::kLanes ? V::load(s + i * col)
                                        : V::load(s + i * col, in);
      }
      V::transpose(block);
      float* d = dst + r * dst_row + c;
      for (int i = 0; i < depth; ++i) {
        if (stored == V::kLanes) {
          V::store(d + i * dst_row, block[i]);
        } else {
          V::store(d + i * dst_row, block[i], out);
        }
      }
    }
  }
}

template <class V>
void copy(const float* src, int64_t row, int64_t col, int64_t rows, int64_t cols,
          int64_t padded_cols, float* dst, int64_t dst_row) {
  if (col == 1) {
    copy_rows<V>(src, row, rows, cols, padded_cols, dst, dst_row);
  } else if (row == 1) {
    copy_transposed<V>(src, col, rows, cols, padded_cols, dst, dst_row);
  } else {
    for (int64_t r = 0; r < rows; ++r) {
      float* d = dst + r * dst_row;
      for (int64_t c = 0; c < cols; ++c) d[c] = src[r * row + c * col];
      for (int64_t c = cols; c < padded_cols; ++c) d[c] = 0.0F;
    }
  }
}

}  // namespace
}  // namespace mikpoly::cpu
