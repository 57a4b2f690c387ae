// Fills a KernelSet from a leaf V.
#pragma once

#include <utility>

#include "kernels/cpu/copy-inl.h"
#include "kernels/cpu/dot_tile-inl.h"
#include "kernels/cpu/gemm_tile-inl.h"
#include "kernels/cpu/kernel_set.h"

namespace mikpoly::cpu {
namespace {

template <class V>
inline constexpr int kLeafVectors = static_cast<int>(sizeof(V::kMaxRows) / sizeof(int));

template <class V, int kVectors, int... kRow>
void fill_tiles(KernelSet& set, std::integer_sequence<int, kRow...>) {
  ((set.tile_k[kVectors][kRow + 1] = tile<V, kRow + 1, kVectors, AKind::kAlongK>,
    set.tile_m[kVectors][kRow + 1] = tile<V, kRow + 1, kVectors, AKind::kAlongM>),
   ...);
  set.max_rows[kVectors] = static_cast<int>(sizeof...(kRow));
}

template <class V, int... kVector>
void fill_tiles(KernelSet& set, std::integer_sequence<int, kVector...>) {
  (fill_tiles<V, kVector + 1>(set, std::make_integer_sequence<int, V::kMaxRows[kVector]>{}), ...);
}

template <class V, int kRows, int... kCol>
void fill_dots_of(KernelSet& set, std::integer_sequence<int, kCol...>) {
  ((set.dot[kRows][kCol + 1] = dot<V, kRows, kCol + 1>), ...);
}

template <class V, int... kRow>
void fill_dots(KernelSet& set, std::integer_sequence<int, kRow...>) {
  (fill_dots_of<V, kRow + 1>(set, std::make_integer_sequence<int, V::kDotCols>{}), ...);
}

// A narrower last panel of a copied block keeps the block's row tiles, so it must have them all.
template <class V>
constexpr bool fewer_rows_for_more_vectors() {
  for (int i = 1; i < kLeafVectors<V>; ++i) {
    if (V::kMaxRows[i] > V::kMaxRows[i - 1]) return false;
  }
  return true;
}

template <class V>
KernelSet make_kernel_set(const char* isa) {
  static_assert(fewer_rows_for_more_vectors<V>());
  static_assert(kLeafVectors<V> <= kMaxTileVectors && V::kDotRows <= kMaxDotRows &&
                V::kDotCols <= kMaxDotCols);
  KernelSet set{};
  set.isa = isa;
  set.lanes = V::kLanes;
  set.max_vectors = kLeafVectors<V>;
  set.dot_rows = V::kDotRows;
  set.dot_cols = V::kDotCols;
  set.copy = copy<V>;
  fill_tiles<V>(set, std::make_integer_sequence<int, kLeafVectors<V>>{});
  fill_dots<V>(set, std::make_integer_sequence<int, V::kDotRows>{});
  return set;
}

}  // namespace
}  // namespace mikpoly::cpu
