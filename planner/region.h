// A rectangle of the output that one micro-kernel computes.
#pragma once

#include <cstdint>

#include "planner/micro_kernel.h"

namespace mikpoly {

struct Region {
  int64_t row = 0;  // first row and column in the output
  int64_t col = 0;
  int64_t rows = 0;  // extent; never empty in a plan of a non-empty shape
  int64_t cols = 0;
  KernelId kernel = 0;
  int32_t k_slices = 1;  // the K range is cut into this many slices of nearly equal length

  friend bool operator==(const Region&, const Region&) = default;
};

}  // namespace mikpoly
