// AVX512-BF16 leaf: 16 sums in f32 a vector, each fed by a pair of bf16 along K.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace mikpoly::cpu {

struct Avx512BF16 {
  using In = uint16_t;
  using Out = float;
  using InVec = __m512i;
  using Vec = __m512;
  using Mask = __mmask16;
  static constexpr int kLanes = 16;
  static constexpr int kGroup = 2;
  static constexpr int kMaxRows[] = {14, 14, 9, 6, 5, 4, 3, 3};
  static constexpr int kDotRows = 4;
  static constexpr int kDotCols = 6;

  static Mask first(int count) { return static_cast<Mask>((1U << count) - 1U); }
  static Vec zero() { return _mm512_setzero_ps(); }
  static Vec set1(float x) { return _mm512_set1_ps(x); }
  static Vec load(const float* p) { return _mm512_loadu_ps(p); }
  static Vec load(const float* p, Mask m) { return _mm512_maskz_loadu_ps(m, p); }
  static void store(float* p, Vec v) { _mm512_storeu_ps(p, v); }
  static void store(float* p, Vec v, Mask m) { _mm512_mask_storeu_ps(p, m, v); }
  static Vec mul(Vec a, Vec b) { return _mm512_mul_ps(a, b); }
  static Vec add(Vec a, Vec b) { return _mm512_add_ps(a, b); }
  static Vec fma(Vec a, Vec b, Vec c) { return _mm512_fmadd_ps(a, b, c); }

  static InVec load(const In* p) { return _mm512_loadu_si512(p); }
  static InVec load(const In* p, Mask m) { return _mm512_maskz_loadu_epi32(m, p); }
  static InVec load_run(const In* p, int64_t count) {
    return _mm512_maskz_loadu_epi16(static_cast<__mmask32>((uint64_t{1} << count) - 1U), p);
  }
  static InVec broadcast(const In* a) {
    int32_t pair;
    std::memcpy(&pair, a, sizeof pair);
    return _mm512_set1_epi32(pair);
  }
  static Vec madd(InVec a, InVec b, Vec c) {
    return _mm512_dpbf16_ps(c, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
  }
  static float sum(Vec v) { return _mm512_reduce_add_ps(v); }
};

}  // namespace mikpoly::cpu
