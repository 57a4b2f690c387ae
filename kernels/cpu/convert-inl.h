// Elements of one type as another, where no rounding is needed: what copies do on the way.
#pragma once

#include <bit>
#include <cstdint>

#include "mikpoly/dtype.h"

namespace mikpoly::cpu {
namespace {

// How a DType lies in memory: bf16 and f16 are their bits.
struct BF16Bits {
  uint16_t bits;
};
struct F16Bits {
  uint16_t bits;
};

inline float to_f32(BF16Bits x) {
  return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16);
}

// Exact, denormal numbers, infinities and NaN included.
inline float to_f32(F16Bits x) {
  const uint32_t sign = static_cast<uint32_t>(x.bits & 0x8000U) << 16;
  const uint32_t rest = static_cast<uint32_t>(x.bits & 0x7fffU) << 13;
  // Exponents move from bias 15 to 127; those of infinity and NaN move to 255.
  const uint32_t special = rest >= 0x0f800000U ? 0x70000000U : 0x38000000U;
  const float normal = std::bit_cast<float>(rest + special);
  // A denormal number's bits count units of 2^-24.
  const float tiny = static_cast<float>(static_cast<int32_t>(x.bits & 0x7fffU)) * 0x1p-24F;
  const float size = rest < 0x00800000U ? tiny : normal;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(size) | sign);
}

// Source element -> tile element.
template <class To, class From>
struct Convert {
  static To of(From x) { return static_cast<To>(x); }
};
template <>
struct Convert<float, BF16Bits> {
  static float of(BF16Bits x) { return to_f32(x); }
};
template <>
struct Convert<float, F16Bits> {
  static float of(F16Bits x) { return to_f32(x); }
};
// Tile elements of the bf16 sets are bits, too; whole numbers of 8 bits are exact in bf16.
template <>
struct Convert<uint16_t, BF16Bits> {
  static uint16_t of(BF16Bits x) { return x.bits; }
};
template <class Whole>
requires(sizeof(Whole) == 1) struct Convert<uint16_t, Whole> {
  static uint16_t of(Whole x) {
    return static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(x)) >> 16);
  }
};

}  // namespace
}  // namespace mikpoly::cpu
