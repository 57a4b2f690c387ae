#include "core/base/element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace mikpoly {
namespace {

template <class T>
T whole(double value) {
  constexpr double kLow = std::numeric_limits<T>::lowest();
  constexpr double kHigh = std::numeric_limits<T>::max();
  if (!(value > kLow)) return std::numeric_limits<T>::lowest();
  return static_cast<T>(std::nearbyint(std::min(value, kHigh)));
}

// The nearest number of `digits` significant bits whose last place is at least 2^least.
double nearest(double value, int digits, int least) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int place = std::max(std::ilogb(value) - digits + 1, least);
  return std::ldexp(std::nearbyint(std::ldexp(value, -place)), place);
}

uint16_t bf16_bits(double value) {
  if (std::isnan(value)) return 0x7fc0;
  const auto exact = static_cast<float>(nearest(value, 8, -133));  // overflow gives infinity
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(exact) >> 16);
}

uint16_t f16_bits(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return 0x7e00;
  const double size = std::abs(nearest(value, 11, -24));
  if (size > 65504) return sign | 0x7c00;
  if (size < 0x1p-14) return static_cast<uint16_t>(sign | static_cast<int>(size * 0x1p24));
  const int exponent = std::ilogb(size);
  const auto fraction = static_cast<int>(std::ldexp(size, 10 - exponent)) - 1024;
  return static_cast<uint16_t>(sign | (exponent + 15) << 10 | fraction);
}

double f16_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

template <class T>
T at(const void* data, int64_t index) {
  return static_cast<const T*>(data)[index];
}
template <class T>
void set(void* data, int64_t index, T value) {
  static_cast<T*>(data)[index] = value;
}

}  // namespace

double load_element(DType type, const void* data, int64_t index) {
  switch (type) {
    case DType::kF32:
      return at<float>(data, index);
    case DType::kF64:
      return at<double>(data, index);
    case DType::kBF16:
      return std::bit_cast<float>(uint32_t{at<uint16_t>(data, index)} << 16);
    case DType::kF16:
      return f16_value(at<uint16_t>(data, index));
    case DType::kS8:
      return at<int8_t>(data, index);
    case DType::kU8:
      return at<uint8_t>(data, index);
    case DType::kS32:
      return at<int32_t>(data, index);
  }
  return 0;
}

void store_element(DType type, void* data, int64_t index, double value) {
  switch (type) {
    case DType::kF32:
      return set(data, index, static_cast<float>(value));
    case DType::kF64:
      return set(data, index, value);
    case DType::kBF16:
      return set(data, index, bf16_bits(value));
    case DType::kF16:
      return set(data, index, f16_bits(value));
    case DType::kS8:
      return set(data, index, whole<int8_t>(value));
    case DType::kU8:
      return set(data, index, whole<uint8_t>(value));
    case DType::kS32:
      return set(data, index, whole<int32_t>(value));
  }
}

}  // namespace mikpoly
