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
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    float* c = t.c + i * t.c_row;
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      const bool last = v == kVectors - 1;
      auto value = V::mul(alpha, acc[i][v]);
      float* p = c + v * V::kLanes;
      if (t.beta != 0.0F) {
        value = V::fma(beta, load_vector<V, kFullTail>(p, last, mask), value);
      }
      store_vector<V, kFullTail>(p, last, mask, value);
    }
  }
}

template <class V, int kRows, int kVectors, AKind kA, bool kFullTail>
void tile_body(const TileArgs& t) {
  typename V::Vec acc[kRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) acc[i][v] = V::zero();
  }
  const auto mask = V::first(t.tail);
  const float* a = t.a;
  const float* b = t.b;
  const int64_t a_row = kA == AKind::kAlongM ? 1 : t.a_row;
  const int64_t a_k = kA == AKind::kAlongK ? 1 : t.a_k;
  for (int64_t k = t.depth; k > 0; --k) {
    typename V::Vec row[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      row[v] = load_vector<V, kFullTail>(b + v * t.b_vector, v == kVectors - 1, mask);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      const auto x = V::set1(a[i * a_row]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) acc[i][v] = V::fma(x, row[v], acc[i][v]);
    }
    a += a_k;
    b += t.b_k;
  }
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
