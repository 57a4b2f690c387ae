// Operands of the kernels: elements of any type the tiles read or write, between a guard page and
// what they need, filled with small integers whose sums of products are exact in any order.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/cpu/kernel_sets.h"
#include "tests/support/guard_buffer.h"

namespace mikpoly::testing {

// DType, and what 8-bit operands are widened to.
enum class Element { kF32, kF64, kBF16, kF16, kS8, kU8, kS32, kS16 };

inline Element element_of(DType type) { return static_cast<Element>(type); }

inline int64_t bytes_of(Element type) {
  constexpr int64_t kBytes[] = {4, 8, 2, 2, 1, 1, 4, 2};
  return kBytes[static_cast<int>(type)];
}

// Small whole numbers only for bf16 and f16.
class Elements {
 public:
  Elements(Element type, int64_t count)
      : type_(type),
        buffer_(static_cast<std::size_t>(count * bytes_of(type)), GuardBuffer::Guard::kBehind) {}

  void* data() { return buffer_.data(); }
  int64_t bytes() const { return bytes_of(type_); }

  void set(int64_t i, double x) {
    switch (type_) {
      case Element::kF32:
        return put(i, static_cast<float>(x));
      case Element::kF64:
        return put(i, x);
      case Element::kBF16:
        return put(i, static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(x)) >> 16));
      case Element::kF16:
        return put(i, f16(static_cast<int>(x)));
      case Element::kS8:
        return put(i, static_cast<int8_t>(x));
      case Element::kU8:
        return put(i, static_cast<uint8_t>(x));
      case Element::kS32:
        return put(i, static_cast<int32_t>(x));
      case Element::kS16:
        return put(i, static_cast<int16_t>(x));
    }
  }
  double get(int64_t i) const {
    switch (type_) {
      case Element::kF32:
        return pick<float>(i);
      case Element::kF64:
        return pick<double>(i);
      case Element::kBF16:
        return std::bit_cast<float>(uint32_t{pick<uint16_t>(i)} << 16);
      case Element::kF16:
        return whole(pick<uint16_t>(i));
      case Element::kS8:
        return pick<int8_t>(i);
      case Element::kU8:
        return pick<uint8_t>(i);
      case Element::kS32:
        return pick<int32_t>(i);
      case Element::kS16:
        return pick<int16_t>(i);
    }
    return 0;
  }

  // -4 .. 4; 0 .. 8 where there is no sign.
  void fill(int64_t count, int64_t seed) {
    const int shift = type_ == Element::kU8 ? 0 : 4;
    for (int64_t i = 0; i < count; ++i) {
      set(i, static_cast<double>((i + seed) * 7919 % 9 - shift));
    }
  }

 private:
  template <class T>
  void put(int64_t i, T x) {
    std::memcpy(static_cast<char*>(buffer_.data()) + i * bytes_of(type_), &x, sizeof x);
  }
  template <class T>
  T pick(int64_t i) const {
    T x;
    std::memcpy(&x, static_cast<const char*>(buffer_.data()) + i * bytes_of(type_), sizeof x);
    return x;
  }
  // Of whole numbers up to 8.
  static constexpr uint16_t kF16[] = {0,      0x3c00, 0x4000, 0x4200, 0x4400,
                                      0x4500, 0x4600, 0x4700, 0x4800};
  static uint16_t f16(int x) {
    return static_cast<uint16_t>(kF16[x < 0 ? -x : x] | (x < 0 ? 0x8000 : 0));
  }
  static double whole(uint16_t bits) {
    for (int x = -8; x <= 8; ++x) {
      if (f16(x) == bits) return x;
    }
    return -99;
  }

  Element type_;
  GuardBuffer buffer_;
};

// The types that a set's tiles read and write.
struct TileTypes {
  Element a;
  Element b;
  Element sum;
};
inline TileTypes types_of(cpu::Math math) {
  switch (math) {
    case cpu::Math::kF32:
      return {Element::kF32, Element::kF32, Element::kF32};
    case cpu::Math::kF64:
      return {Element::kF64, Element::kF64, Element::kF64};
    case cpu::Math::kBF16:
      return {Element::kBF16, Element::kBF16, Element::kF32};
    case cpu::Math::kS8:
      return {Element::kU8, Element::kS8, Element::kS32};
    case cpu::Math::kS16:
      return {Element::kS16, Element::kS16, Element::kS32};
  }
  return {};
}

}  // namespace mikpoly::testing
