// The loop space of one GEMM as the planner sees it: an m x n output, reduced over k.
#pragma once

#include <cstdint>

namespace mikpoly {

struct Shape {
  int64_t m = 0;  // rows of the output
  int64_t n = 0;  // columns of the output
  int64_t k = 0;  // length of the reduction

  friend bool operator==(const Shape&, const Shape&) = default;
};

}  // namespace mikpoly
