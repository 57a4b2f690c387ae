// AVX-512F leaf for f64: 8 doubles a vector.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace mikpoly::cpu {

struct Avx512F64 {
  using In = double;
  using Out = double;
  using InVec = __m512d;
  using Vec = __m512d;
  using Mask = __mmask8;
  static constexpr int kLanes = 8;
  static constexpr int kGroup = 1;
  static constexpr int kMaxRows[] = {14, 14, 9, 6, 5, 4, 3, 3};
  static constexpr int kDotRows = 4;
  static constexpr int kDotCols = 6;

  static Mask first(int count) { return static_cast<Mask>((1U << count) - 1U); }
  static Vec zero() { return _mm512_setzero_pd(); }
  static Vec set1(double x) { return _mm512_set1_pd(x); }
  static Vec load(const double* p) { return _mm512_loadu_pd(p); }
  static Vec load(const double* p, Mask m) { return _mm512_maskz_loadu_pd(m, p); }
  static void store(double* p, Vec v) { _mm512_storeu_pd(p, v); }
  static void store(double* p, Vec v, Mask m) { _mm512_mask_storeu_pd(p, m, v); }
  static Vec mul(Vec a, Vec b) { return _mm512_mul_pd(a, b); }
  static Vec add(Vec a, Vec b) { return _mm512_add_pd(a, b); }
  static Vec fma(Vec a, Vec b, Vec c) { return _mm512_fmadd_pd(a, b, c); }
  // b where either is NaN.
  static Vec min(Vec a, Vec b) { return _mm512_min_pd(a, b); }
  static Vec max(Vec a, Vec b) { return _mm512_max_pd(a, b); }

  static InVec broadcast(const In* a) { return set1(*a); }
  static InVec load_run(const In* p, int64_t count) {
    return load(p, first(static_cast<int>(count)));
  }
  static Vec madd(InVec a, InVec b, Vec c) { return fma(a, b, c); }
  static double sum(Vec v) { return _mm512_reduce_add_pd(v); }

  // 8 x 8 transpose in place.
  static void transpose(Vec (&r)[kLanes]) {
    Vec t[kLanes];
    for (int i = 0; i < kLanes; i += 2) {
      t[i] = _mm512_unpacklo_pd(r[i], r[i + 1]);
      t[i + 1] = _mm512_unpackhi_pd(r[i], r[i + 1]);
    }
    // Pairs of lanes are now elements of the transpose's rows; their places follow.
    for (int j = 0; j < 2; ++j) {
      const Vec a = _mm512_shuffle_f64x2(t[j], t[j + 2], 0x88);
      const Vec b = _mm512_shuffle_f64x2(t[j], t[j + 2], 0xdd);
      const Vec c = _mm512_shuffle_f64x2(t[j + 4], t[j + 6], 0x88);
      const Vec d = _mm512_shuffle_f64x2(t[j + 4], t[j + 6], 0xdd);
      r[j] = _mm512_shuffle_f64x2(a, c, 0x88);
      r[j + 4] = _mm512_shuffle_f64x2(a, c, 0xdd);
      r[j + 2] = _mm512_shuffle_f64x2(b, d, 0x88);
      r[j + 6] = _mm512_shuffle_f64x2(b, d, 0xdd);
    }
  }
};

}  // namespace mikpoly::cpu
