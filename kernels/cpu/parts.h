// Cutting an extent into nearly equal parts.
#pragma once

#include <algorithm>
#include <cstdint>

namespace mikpoly::cpu {

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// First element of part i of n, the larger parts first.
inline int64_t part_begin(int64_t extent, int64_t n, int64_t i) {
  return extent / n * i + std::min(extent % n, i);
}

}  // namespace mikpoly::cpu
