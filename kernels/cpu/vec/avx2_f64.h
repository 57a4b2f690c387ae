// AVX2 + FMA leaf for f64: 4 doubles a vector.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace mikpoly::cpu {

struct Avx2F64 {
  using In = double;
  using Out = double;
  using InVec = __m256d;
  using Vec = __m256d;
  using Mask = __m256i;
  static constexpr int kLanes = 4;
  static constexpr int kGroup = 1;
  static constexpr int kMaxRows[] = {10, 6, 4, 3};
  static constexpr int kDotRows = 3;
  static constexpr int kDotCols = 4;

  static Mask first(int count) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
  }
  static Vec zero() { return _mm256_setzero_pd(); }
  static Vec set1(double x) { return _mm256_set1_pd(x); }
  static Vec load(const double* p) { return _mm256_loadu_pd(p); }
  static Vec load(const double* p, Mask m) { return _mm256_maskload_pd(p, m); }
  static void store(double* p, Vec v) { _mm256_storeu_pd(p, v); }
  static void store(double* p, Vec v, Mask m) { _mm256_maskstore_pd(p, m, v); }
  static Vec mul(Vec a, Vec b) { return _mm256_mul_pd(a, b); }
  static Vec add(Vec a, Vec b) { return _mm256_add_pd(a, b); }
  static Vec fma(Vec a, Vec b, Vec c) { return _mm256_fmadd_pd(a, b, c); }
  // b where either is NaN.
  static Vec min(Vec a, Vec b) { return _mm256_min_pd(a, b); }
  static Vec max(Vec a, Vec b) { return _mm256_max_pd(a, b); }

  static InVec broadcast(const In* a) { return set1(*a); }
  static InVec load_run(const In* p, int64_t count) {
    return load(p, first(static_cast<int>(count)));
  }
  static Vec madd(InVec a, InVec b, Vec c) { return fma(a, b, c); }
  static double sum(Vec v) {
    const __m128d x = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(x, _mm_unpackhi_pd(x, x)));
  }

  // 4 x 4 transpose in place.
  static void transpose(Vec (&r)[kLanes]) {
    const Vec a = _mm256_unpacklo_pd(r[0], r[1]);
    const Vec b = _mm256_unpackhi_pd(r[0], r[1]);
    const Vec c = _mm256_unpacklo_pd(r[2], r[3]);
    const Vec d = _mm256_unpackhi_pd(r[2], r[3]);
    r[0] = _mm256_permute2f128_pd(a, c, 0x20);
    r[1] = _mm256_permute2f128_pd(b, d, 0x20);
    r[2] = _mm256_permute2f128_pd(a, c, 0x31);
    r[3] = _mm256_permute2f128_pd(b, d, 0x31);
  }
};

}  // namespace mikpoly::cpu
