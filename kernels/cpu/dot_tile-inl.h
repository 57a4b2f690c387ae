// The dot tile: both operands run along K, lanes split K. For few rows or few columns, where a
// register tile would have to repack the long operand or leave lanes empty.
#pragma once

#include "kernels/cpu/kernel_set.h"

namespace mikpoly::cpu {
namespace {

constexpr int64_t kDotAhead = 256;  // elements along K that the tile fetches in advance

template <class V, int kRows, int kCols, class Load>
inline void dot_step(const DotArgs& t, int64_t k, typename V::Vec (&acc)[kRows][kCols], Load load) {
  using In = typename V::In;
  const In* const a = static_cast<const In*>(t.a) + k;
  const In* const b = static_cast<const In*>(t.b) + k;
  typename V::InVec x[kRows];
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
    __builtin_prefetch(a + i * t.a_row + kDotAhead, 0, 3);
    x[i] = load(a + i * t.a_row);
  }
#pragma GCC unroll 8
  for (int j = 0; j < kCols; ++j) {
    __builtin_prefetch(b + j * t.b_col + kDotAhead, 0, 3);
    const auto y = load(b + j * t.b_col);
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i) acc[i][j] = V::madd(x[i], y, acc[i][j]);
  }
}

template <class V, int kRows, int kCols>
void dot(const DotArgs& t) {
  using In = typename V::In;
  using Out = typename V::Out;
  constexpr int64_t kStep = int64_t{V::kLanes} * V::kGroup;
  typename V::Vec acc[kRows][kCols];
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < kCols; ++j) acc[i][j] = V::zero();
  }
  int64_t k = 0;
  for (; k + kStep <= t.depth; k += kStep) {
    dot_step<V, kRows, kCols>(t, k, acc, [](const In* p) { return V::load(p); });
  }
  if (const int64_t rest = t.depth - k; rest > 0) {
    dot_step<V, kRows, kCols>(t, k, acc, [rest](const In* p) { return V::load_run(p, rest); });
  }
  const auto alpha = static_cast<Out>(t.alpha);
  const auto beta = static_cast<Out>(t.beta);
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < kCols; ++j) {
      Out* c = static_cast<Out*>(t.c) + i * t.c_row + j;
      const Out sum = alpha * V::sum(acc[i][j]);
      *c = beta == 0 ? sum : sum + beta * *c;
    }
  }
}

}  // namespace
}  // namespace mikpoly::cpu
