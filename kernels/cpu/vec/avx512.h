// AVX-512F leaf: 16 floats a vector, 32 registers, masked tails at full speed.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace mikpoly::cpu {

struct Avx512 {
  using Vec = __m512;
  using Mask = __mmask16;
  static constexpr int kLanes = 16;
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
