// The register tile, once for every instruction set: V is a leaf from vec/. Included by one .cc
// file an instruction set; everything here has internal linkage, so that no code built for one set
// can be merged into another's.
#pragma once

#include "kernels/cpu/kernel_set.h"

namespace mikpoly::cpu {
namespace {

enum class AKind { kAlongK, kAlongM };

template <class V, bool kFullTail>
inline typename V::Vec load_vector(const float* p, bool last, typename V::Mask mask) {
  return (last && !kFullTail) ? V::load(p, mask) : V::load(p);
}

template <class V, bool kFullTail>
inline void store_vector(float* p, bool last, typename V::Mask mask, typename V::Vec value) {
  if (last && !kFullTail) {
    V::store(p, value, mask);
  } else {
    V::store(p, value);
  }
}

// C = alpha * acc + beta * C.
template <class V, int kRows, int kVectors, bool kFullTail>
inline void store_tile(const TileArgs& t, const typename V::Vec (&acc)[kRows][kVectors]) {
  const auto mask = V::first(t.tail);
  const auto alpha = V::set1(t.alpha);
  const auto beta = V::set1(t.beta);
  const bool reads_c = t.beta != 0.0F;  // by value: a store to C may alias t
  float* const first = t.c;
  const int64_t c_row = t.c_row;
#pragma GCC unroll 32
  for (int i = 0; i < kRows; ++i) {
    float* c = first + i * c_row;
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      const bool last = v == kVectors - 1;
      auto value = V::mul(alpha, acc[i][v]);
      float* p = c + v * V::kLanes;
      if (reads_c) {
        value = V::fma(beta, load_vector<V, kFullTail>(p, last, mask), value);
      }
      store_vector<V, kFullTail>(p, last, mask, value);
    }
  }
}

// acc += A B over `steps` steps of K; a and b advance past them.
template <class V, int kRows, int kVectors, AKind kA, bool kFullTail>
inline void accumulate(const TileArgs& t, typename V::Mask mask, int64_t steps, const float*& a,
                       const float*& b, typename V::Vec (&acc)[kRows][kVectors]) {
  const int64_t a_row = kA == AKind::kAlongM ? 1 : t.a_row;
  const int64_t a_k = kA == AKind::kAlongK ? 1 : t.a_k;
  const int64_t b_k = t.b_k;
  const int64_t b_vector = t.b_vector;
  const int64_t b_ahead = t.b_ahead;
  for (; steps > 0; --steps) {
    typename V::Vec row[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      row[v] = load_vector<V, kFullTail>(b + v * b_vector, v == kVectors - 1, mask);
      __builtin_prefetch(b + v * b_vector + b_ahead, 0, 2);
    }
#pragma GCC unroll 32
    for (int i = 0; i < kRows; ++i) {
      const auto x = V::set1(a[i * a_row]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) acc[i][v] = V::fma(x, row[v], acc[i][v]);
    }
    a += a_k;
    b += b_k;
  }
}

template <class V, int kRows, int kVectors, AKind kA, bool kFullTail>
void tile_body(const TileArgs& t) {
  typename V::Vec acc[kRows][kVectors];
#pragma GCC unroll 32
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) acc[i][v] = V::zero();
  }
  for (int i = 0; i < kRows; ++i) {
    for (int v = 0; v < kVectors; ++v) __builtin_prefetch(t.c + i * t.c_row + v * V::kLanes, 1, 3);
  }
  const auto mask = V::first(t.tail);
  const float* a = t.a;
  const float* b = t.b;
  int64_t k = t.depth;
  if (kA == AKind::kAlongK && t.next_a != nullptr) {
    constexpr int64_t kLine = 64 / sizeof(float);
    for (const float* next = t.next_a; k > kLine; k -= kLine, next += kLine) {
      for (int i = 0; i < kRows; ++i) __builtin_prefetch(next + i * t.a_row, 0, 2);
      accumulate<V, kRows, kVectors, kA, kFullTail>(t, mask, kLine, a, b, acc);
    }
  }
  accumulate<V, kRows, kVectors, kA, kFullTail>(t, mask, k, a, b, acc);
  store_tile<V, kRows, kVectors, kFullTail>(t, acc);
}

template <class V, int kRows, int kVectors, AKind kA>
void tile(const TileArgs& t) {
  if (t.tail == V::kLanes) {
    tile_body<V, kRows, kVectors, kA, true>(t);
  } else {
    tile_body<V, kRows, kVectors, kA, false>(t);
  }
}

}  // namespace
}  // namespace mikpoly::cpu
