// AVX-512F leaf: 16 floats a vector, 32 registers, masked tails at full speed.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace mikpoly::cpu {

struct Avx512 {
  using In = float;
  using Out = float;
  using InVec = __m512;
  using Vec = __m512;
  using Mask = __mmask16;
  static constexpr int kLanes = 16;
  static constexpr int kGroup = 1;
  // Most rows a register tile of 1, 2, ... vectors a row may have: accumulators, one row of B and
  // one broadcast must fit 32 registers.
  static constexpr int kMaxRows[] = {14, 14, 9, 6, 5, 4, 3, 3};
  static constexpr int kDotRows = 4;  // dot tile: kDotRows x kDotCols accumulators
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
  static Vec sub(Vec a, Vec b) { return _mm512_sub_ps(a, b); }
  static Vec div(Vec a, Vec b) { return _mm512_div_ps(a, b); }
  // b where either is NaN.
  static Vec min(Vec a, Vec b) { return _mm512_min_ps(a, b); }
  static Vec max(Vec a, Vec b) { return _mm512_max_ps(a, b); }
  static Vec select_less(Vec a, Vec b, Vec less, Vec other) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), other, less);
  }
  static Vec round(Vec a) { return _mm512_roundscale_ps(a, 0); }
  // x * 2^n for whole n, without a detour over numbers that overflow or vanish.
  static Vec scale2(Vec x, Vec n) { return _mm512_scalef_ps(x, n); }

  static InVec broadcast(const In* a) { return set1(*a); }
  static InVec load_run(const In* p, int64_t count) {
    return load(p, first(static_cast<int>(count)));
  }
  static Vec madd(InVec a, InVec b, Vec c) { return fma(a, b, c); }
  static float sum(Vec v) { return _mm512_reduce_add_ps(v); }

  // 16 x 16 transpose in place: r[c] becomes element c of every r.
  static void transpose(Vec (&r)[kLanes]) {
    Vec t[kLanes];
    for (int i = 0; i < kLanes; i += 2) {
      t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
      t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
    }
    for (int i = 0; i < kLanes; i += 4) {
      r[i] = _mm512_shuffle_ps(t[i], t[i + 2], 0x44);
      r[i + 1] = _mm512_shuffle_ps(t[i], t[i + 2], 0xee);
      r[i + 2] = _mm512_shuffle_ps(t[i + 1], t[i + 3], 0x44);
      r[i + 3] = _mm512_shuffle_ps(t[i + 1], t[i + 3], 0xee);
    }
    for (int j = 0; j < 4; ++j) {
      t[j] = _mm512_shuffle_f32x4(r[j], r[j + 4], 0x88);
      t[j + 4] = _mm512_shuffle_f32x4(r[j], r[j + 4], 0xdd);
      t[j + 8] = _mm512_shuffle_f32x4(r[j + 8], r[j + 12], 0x88);
      t[j + 12] = _mm512_shuffle_f32x4(r[j + 8], r[j + 12], 0xdd);
    }
    for (int j = 0; j < 8; ++j) {
      r[j] = _mm512_shuffle_f32x4(t[j], t[j + 8], 0x88);
      r[j + 8] = _mm512_shuffle_f32x4(t[j], t[j + 8], 0xdd);
    }
  }
};

}  // namespace mikpoly::cpu
