// Small-integer operands whose products are exact in any order of summation.
#pragma once

#include <cstdint>

#include "kernels/cpu/kernel_sets.h"

namespace mikpoly::testing {

inline float small_integer(int64_t i) { return static_cast<float>(i * 7919 % 9 - 4); }

inline void fill_small(float* data, int64_t count, int64_t seed) {
  for (int64_t i = 0; i < count; ++i) data[i] = small_integer(i + seed);
}

}  // namespace mikpoly::testing
