// AVX2 leaf for 8-bit operands widened to s16: 8 sums in s32 a vector, each fed by a pair of
// products along K. A pair's sum fits s32 by far, so every sum is exact.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace mikpoly::cpu {

struct Avx2S16 {
  using In = int16_t;
  using Out = int32_t;
  using InVec = __m256i;
  using Vec = __m256i;
  using Mask = __m256i;
  static constexpr int kLanes = 8;
  static constexpr int kGroup = 2;
  static constexpr int kMaxRows[] = {10, 6, 4, 3};

  static Mask first(int count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static Vec zero() { return _mm256_setzero_si256(); }
  static Vec load(const int32_t* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  static Vec load(const int32_t* p, Mask m) { return _mm256_maskload_epi32(p, m); }
  static void store(int32_t* p, Vec v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
  static void store(int32_t* p, Vec v, Mask m) { _mm256_maskstore_epi32(p, m, v); }
  static Vec add(Vec a, Vec b) { return _mm256_add_epi32(a, b); }

  static InVec load(const In* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
  static InVec load(const In* p, Mask m) {
    return _mm256_maskload_epi32(reinterpret_cast<const int*>(p), m);
  }
  static InVec broadcast(const In* a) {
    int32_t pair;
    std::memcpy(&pair, a, sizeof pair);
    return _mm256_set1_epi32(pair);
  }
  static Vec madd(InVec a, InVec b, Vec c) { return add(c, _mm256_madd_epi16(a, b)); }
};

}  // namespace mikpoly::cpu
