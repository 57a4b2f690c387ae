// The register tile, once for every instruction set: V is a leaf from vec/. Included by one .cc
// file an instruction set; everything here has internal linkage, so that no code built for one set
// can be merged into another's.
#pragma once

#include <type_traits>

#include "kernels/cpu/kernel_set.h"

namespace mikpoly::cpu {
namespace {

enum class AKind { kAlongK, kAlongM };

template <class V, bool kFullTail, class T>
inline auto load_vector(const T* p, bool last, typename V::Mask mask) {
  return (last && !kFullTail) ? V::load(p, mask) : V::load(p);
}

template <class V, bool kFullTail>
inline void store_vector(typename V::Out* p, bool last, typename V::Mask mask,
                         typename V::Vec value) {
  if (last && !kFullTail) {
    V::store(p, value, mask);
  } else {
    V::store(p, value);
  }
}

// C = alpha * acc + beta * C; sums in s32: C = acc + C where beta is not 0.
template <class V, int kRows, int kVectors, bool kFullTail>
inline void store_tile(const TileArgs& t, const typename V::Vec (&acc)[kRows][kVectors]) {
  using Out = typename V::Out;
  const auto mask = V::first(t.tail);
  const bool reads_c = t.beta != 0;  // by value: a store to C may alias t
  [[maybe_unused]] const auto alpha = static_cast<Out>(t.alpha);
  [[maybe_unused]] const auto beta = static_cast<Out>(t.beta);
  Out* const first = static_cast<Out*>(t.c);
  const int64_t c_row = t.c_row;
#pragma GCC unroll 32
  for (int i = 0; i < kRows; ++i) {
    Out* c = first + i * c_row;
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      const bool last = v == kVectors - 1;
      Out* p = c + v * V::kLanes;
      if constexpr (std::is_integral_v<Out>) {
        auto value = acc[i][v];
        if (reads_c) value = V::add(value, load_vector<V, kFullTail>(p, last, mask));
        store_vector<V, kFullTail>(p, last, mask, value);
      } else {
        auto value = V::mul(V::set1(alpha), acc[i][v]);
        if (reads_c) value = V::fma(V::set1(beta), load_vector<V, kFullTail>(p, last, mask), value);
        store_vector<V, kFullTail>(p, last, mask, value);
      }
    }
  }
}

// The group of A at a, of which `count` elements exist, as a tile multiplies it.
template <class V>
inline typename V::InVec broadcast_part(const typename V::In* a, int64_t count) {
  typename V::In group[V::kGroup] = {};
  for (int64_t i = 0; i < count; ++i) group[i] = a[i];
  return V::broadcast(group);
}

template <class V>
inline constexpr bool kHasFlip = requires {
  V::flip(true);
};

// acc += A B over `steps` groups of K; a and b advance past them. `part`: elements of A in the
// group where steps is 1 and the last group is not whole, else the whole group.
template <class V, int kRows, int kVectors, AKind kA, bool kFullTail, bool kPart>
inline void accumulate(const TileArgs& t, typename V::Mask mask, int64_t steps, int64_t part,
                       const typename V::In*& a, const typename V::In*& b,
                       typename V::Vec (&acc)[kRows][kVectors]) {
  const int64_t a_row = kA == AKind::kAlongM ? V::kGroup : t.a_row;
  const int64_t a_k = kA == AKind::kAlongK ? V::kGroup : t.a_k;
  const int64_t b_k = t.b_k;
  const int64_t b_vector = t.b_vector;
  const int64_t b_ahead = t.b_ahead;
  [[maybe_unused]] const bool signed_a = t.signed_a;
  for (; steps > 0; --steps) {
    typename V::InVec row[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      row[v] = load_vector<V, kFullTail>(b + v * b_vector, v == kVectors - 1, mask);
      __builtin_prefetch(b + v * b_vector + b_ahead, 0, 2);
    }
#pragma GCC unroll 32
    for (int i = 0; i < kRows; ++i) {
      auto x = kPart ? broadcast_part<V>(a + i * a_row, part) : V::broadcast(a + i * a_row);
      if constexpr (kHasFlip<V>) x = V::unsign(x, V::flip(signed_a));
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) acc[i][v] = V::madd(x, row[v], acc[i][v]);
    }
    a += a_k;
    b += b_k;
  }
}

template <class V, int kRows, int kVectors, AKind kA, bool kFullTail>
void tile_body(const TileArgs& t) {
  using In = typename V::In;
  typename V::Vec acc[kRows][kVectors];
#pragma GCC unroll 32
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) acc[i][v] = V::zero();
  }
  for (int i = 0; i < kRows; ++i) {
    for (int v = 0; v < kVectors; ++v) {
      __builtin_prefetch(static_cast<typename V::Out*>(t.c) + i * t.c_row + v * V::kLanes, 1, 3);
    }
  }
  const auto mask = V::first(t.tail);
  const In* a = static_cast<const In*>(t.a);
  const In* b = static_cast<const In*>(t.b);
  constexpr bool kMayEndInPart = kA == AKind::kAlongK && V::kGroup > 1;
  int64_t steps = kMayEndInPart ? t.depth / V::kGroup : (t.depth + V::kGroup - 1) / V::kGroup;
  if (kA == AKind::kAlongK && t.next_a != nullptr) {
    constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(In) * V::kGroup);  // groups
    const In* next = static_cast<const In*>(t.next_a);
    for (; steps > kLine; steps -= kLine, next += kLine * V::kGroup) {
      for (int i = 0; i < kRows; ++i) __builtin_prefetch(next + i * t.a_row, 0, 2);
      accumulate<V, kRows, kVectors, kA, kFullTail, false>(t, mask, kLine, V::kGroup, a, b, acc);
    }
  }
  accumulate<V, kRows, kVectors, kA, kFullTail, false>(t, mask, steps, V::kGroup, a, b, acc);
  if constexpr (kMayEndInPart) {
    if (const int64_t part = t.depth % V::kGroup; part > 0) {
      accumulate<V, kRows, kVectors, kA, kFullTail, true>(t, mask, 1, part, a, b, acc);
    }
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
