// AVX512-VNNI leaf: 16 sums in s32 a vector, each fed by four products u8 x s8 along K. The
// products are added up in 32 bits at once: no 16-bit sum can saturate.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace mikpoly::cpu {

struct Avx512S8 {
  using In = uint8_t;
  using Out = int32_t;
  using InVec = __m512i;
  using Vec = __m512i;
  using Mask = __mmask16;
  static constexpr int kLanes = 16;
  static constexpr int kGroup = 4;
  static constexpr int kMaxRows[] = {14, 13, 9, 6, 5, 4, 3, 3};

  static Mask first(int count) { return static_cast<Mask>((1U << count) - 1U); }
  static Vec zero() { return _mm512_setzero_si512(); }
  static Vec load(const int32_t* p) { return _mm512_loadu_si512(p); }
  static Vec load(const int32_t* p, Mask m) { return _mm512_maskz_loadu_epi32(m, p); }
  static void store(int32_t* p, Vec v) { _mm512_storeu_si512(p, v); }
  static void store(int32_t* p, Vec v, Mask m) { _mm512_mask_storeu_epi32(p, m, v); }
  static Vec add(Vec a, Vec b) { return _mm512_add_epi32(a, b); }

  static InVec load(const In* p) { return _mm512_loadu_si512(p); }
  static InVec load(const In* p, Mask m) { return _mm512_maskz_loadu_epi32(m, p); }
  static InVec load_run(const In* p, int64_t count) {
    const uint64_t mask = count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1U;
    return _mm512_maskz_loadu_epi8(mask, p);
  }
  static InVec broadcast(const In* a) {
    int32_t quad;
    std::memcpy(&quad, a, sizeof quad);
    return _mm512_set1_epi32(quad);
  }
  // 128 added to each of s8's values, as a u8.
  static InVec unsign(InVec a, InVec flip) { return _mm512_xor_si512(a, flip); }
  static InVec flip(bool is_signed) {
    return is_signed ? _mm512_set1_epi8(static_cast<char>(0x80)) : _mm512_setzero_si512();
  }
  static Vec madd(InVec a, InVec b, Vec c) { return _mm512_dpbusd_epi32(c, a, b); }
};

}  // namespace mikpoly::cpu
