// The dot tile: both operands run along K, lanes split K. For few rows or few columns, where a
// register tile would have to repack the long operand or leave lanes empty.
#pragma once

#include "kernels/cpu/kernel_set.h"

namespace mikpoly::cpu {
namespace {

constexpr int64_t kDotAhead = 256;  // elements along K that the tile fetches in advance

template <class V, int kRows, int kCols, class Load>
inline void dot_step(const DotArgs& t, int64_t k, typename V::Vec (&acc)[kRows][kCols], Load load) {
  typename V::Vec x[kRows];
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
    __builtin_prefetch(t.a + i * t.a_row + k + kDotAhead, 0, 3);
    x[i] = load(t.a + i * t.a_row + k);
  }
#pragma GCC unroll 8
  for (int j = 0; j < kCols; ++j) {
    __builtin_prefetch(t.b + j * t.b_col + k + kDotAhead, 0, 3);
    const auto y = load(t.b + j * t.b_col + k);
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i) acc[i][j] = V::fma(x[i], y, acc[i][j]);
  }
}

template <class V, int kRows, int kCols>
void dot(const DotArgs& t) {
  typename V::Vec acc[kRows][kCols];
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < kCols; ++j) acc[i][j] = V::zero();
  }
  int64_t k = 0;
  for (; k + V::kLanes <= t.depth; k += V::kLanes) {
    dot_step<V, kRows, kCols>(t, k, acc, [](const float* p) { return V::load(p); });
  }
  if (k < t.depth) {
    const auto mask = V::first(static_cast<int>(t.depth - k));
    dot_step<V, kRows, kCols>(t, k, acc, [mask](const float* p) { return V::load(p, mask); });
  }
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < kCols; ++j) {
      float* c = t.c + i * t.c_row + j;
      const float sum = t.alpha * V::sum(acc[i][j]);
      *c = t.beta == 0.0F ? sum : sum + t.beta * *c;
    }
  }
}

}  // namespace
}  // namespace mikpoly::cpu
