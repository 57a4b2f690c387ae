// Values of computation as elements of the output's type, and elements as values.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/cpu/convert-inl.h"
#include "mikpoly/dtype.h"

namespace mikpoly::cpu {
namespace {

// Calls f with p as a pointer to the type's elements.
template <class Pointer, class F>
inline void with_elements(DType type, Pointer* p, F f) {
  const auto as = [p]<class T>() {
    if constexpr (std::is_const_v<Pointer>) {
      return static_cast<const T*>(p);
    } else {
      return static_cast<T*>(p);
    }
  };
  switch (type) {
    case DType::kF32:
      return f(as.template operator()<float>());
    case DType::kF64:
      return f(as.template operator()<double>());
    case DType::kBF16:
      return f(as.template operator()<BF16Bits>());
    case DType::kF16:
      return f(as.template operator()<F16Bits>());
    case DType::kS8:
      return f(as.template operator()<int8_t>());
    case DType::kU8:
      return f(as.template operator()<uint8_t>());
    case DType::kS32:
      return f(as.template operator()<int32_t>());
  }
}

inline float value_of(BF16Bits x) { return to_f32(x); }
inline float value_of(F16Bits x) { return to_f32(x); }
inline float value_of(float x) { return x; }
inline double value_of(double x) { return x; }
inline float value_of(int8_t x) { return x; }
inline float value_of(uint8_t x) { return x; }
inline float value_of(int32_t x) { return static_cast<float>(x); }

// To nearest even; NaN stays NaN, however its bits lie.
inline BF16Bits to_bf16(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const uint32_t rounded = (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
  const uint32_t nan = bits >> 16 | 0x40U;
  return {static_cast<uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? nan : rounded)};
}

// To nearest even; beyond the largest f16 infinity, denormal numbers as such.
inline F16Bits to_f16(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const uint32_t sign = bits >> 16 & 0x8000U;
  const uint32_t size = bits & 0x7fffffffU;
  // Normal: the bits that go away decide; a carry moves on into the exponent.
  const uint32_t normal = (size - 0x38000000U + 0xfffU + (size >> 13 & 1U)) >> 13;
  // Denormal: adding 1/2 leaves multiples of 2^-24 in the lowest bits, rounded by the addition.
  const uint32_t tiny =
      std::bit_cast<uint32_t>(std::bit_cast<float>(size) + 0.5F) - std::bit_cast<uint32_t>(0.5F);
  uint32_t half = size < 0x38800000U ? tiny : normal;
  half = size >= 0x477ff000U ? 0x7c00U : half;
  half = size > 0x7f800000U ? 0x7e00U | (size >> 13 & 0x1ffU) : half;
  return {static_cast<uint16_t>(sign | half)};
}

template <class Element>
inline Element rounded_to(float x) {
  if constexpr (std::is_same_v<Element, BF16Bits>) {
    return to_bf16(x);
  } else if constexpr (std::is_same_v<Element, F16Bits>) {
    return to_f16(x);
  } else {
    return static_cast<Element>(x);
  }
}
template <class Element>
inline Element rounded_to(double x) {
  if constexpr (std::is_same_v<Element, double>) {
    return x;
  } else {
    return rounded_to<Element>(static_cast<float>(x));
  }
}

// round(x / scale) + zero, to nearest even, saturated; NaN gives the lowest value.
template <class Element>
inline Element quantized(float x, float scale, int32_t zero) {
  constexpr float kLow = std::is_signed_v<Element> ? -128 : 0;
  constexpr float kHigh = std::is_signed_v<Element> ? 127 : 255;
  constexpr float kMagic = 0x1.8p23F;  // numbers of this size have no fraction
  // Wide enough for any zero point of 8 bits, and small enough for the rounding below.
  float whole = x / scale;
  whole = whole > -1024.0F ? whole : -1024.0F;
  whole = whole < 1024.0F ? whole : 1024.0F;
  whole = (whole + kMagic) - kMagic;
  whole += static_cast<float>(zero);
  whole = whole > kLow ? whole : kLow;
  whole = whole < kHigh ? whole : kHigh;
  return static_cast<Element>(static_cast<int32_t>(whole));
}

}  // namespace
}  // namespace mikpoly::cpu
