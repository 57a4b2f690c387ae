// Fills a KernelSet from a leaf V.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <utility>

#include "kernels/cpu/copy-inl.h"
#include "kernels/cpu/dot_tile-inl.h"
#include "kernels/cpu/finish-inl.h"
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
void sum_columns(const void* b, int64_t b_k, int64_t b_vector, int64_t groups, int vectors,
                 int32_t* sums) {
  const typename V::In ones[4] = {1, 1, 1, 1};
  static_assert(V::kGroup <= 4);
  for (int v = 0; v < vectors; ++v) {
    const auto* p = static_cast<const typename V::In*>(b) + v * b_vector;
    auto sum = V::load(sums + v * V::kLanes);
    for (int64_t g = 0; g < groups; ++g) {
      sum = V::madd(V::broadcast(ones), V::load(p + g * b_k), sum);
    }
    V::store(sums + v * V::kLanes, sum);
  }
}

template <class V, class U, class... From>
void fill_copies(KernelSet& set, std::initializer_list<DType> types) {
  const CopyFn copies[] = {copy<V, U, From>...};
  const CopyFn* next = copies;
  for (const DType type : types) set.copy[static_cast<size_t>(type)] = *next++;
}

// V: the leaf of the tiles; U: the floating-point leaf whose vectors hold as many lanes, which
// moves and finishes sums.
template <class V, class U>
KernelSet make_kernel_set(const char* isa, Math math) {
  using Out = typename V::Out;
  static_assert(fewer_rows_for_more_vectors<V>());
  static_assert(kLeafVectors<V> <= kMaxTileVectors);
  KernelSet set{};
  set.isa = isa;
  set.math = math;
  set.lanes = V::kLanes;
  set.group = V::kGroup;
  set.in_bytes = sizeof(typename V::In);
  set.out_bytes = sizeof(Out);
  set.max_vectors = kLeafVectors<V>;
  set.finish = finish<U, Out>;
  fill_tiles<V>(set, std::make_integer_sequence<int, kLeafVectors<V>>{});
  if constexpr (requires { V::kDotRows; }) {
    static_assert(V::kDotRows <= kMaxDotRows && V::kDotCols <= kMaxDotCols);
    set.dot_rows = V::kDotRows;
    set.dot_cols = V::kDotCols;
    fill_dots<V>(set, std::make_integer_sequence<int, V::kDotRows>{});
  }
  if constexpr (std::is_integral_v<Out>) set.sum_columns = sum_columns<V>;
  return set;
}

template <class V>
KernelSet make_f32(const char* isa) {
  KernelSet set = make_kernel_set<V, V>(isa, Math::kF32);
  fill_copies<V, V, float, BF16Bits, F16Bits, int8_t, uint8_t>(
      set, {DType::kF32, DType::kBF16, DType::kF16, DType::kS8, DType::kU8});
  return set;
}

template <class V>
KernelSet make_f64(const char* isa) {
  KernelSet set = make_kernel_set<V, V>(isa, Math::kF64);
  fill_copies<V, V, double>(set, {DType::kF64});
  return set;
}

template <class V, class U>
KernelSet make_bf16(const char* isa) {
  KernelSet set = make_kernel_set<V, U>(isa, Math::kBF16);
  fill_copies<V, U, BF16Bits, int8_t, uint8_t>(set, {DType::kBF16, DType::kS8, DType::kU8});
  return set;
}

template <class V, class U>
KernelSet make_8bit(const char* isa, Math math) {
  KernelSet set = make_kernel_set<V, U>(isa, math);
  fill_copies<V, U, int8_t, uint8_t>(set, {DType::kS8, DType::kU8});
  return set;
}

}  // namespace
}  // namespace mikpoly::cpu
