// How sums become the output: integer corrections, scales, beta * C, the epilogue, conversion. Done
// tile by tile, right after a tile's last K step, while its sums lie in the first-level cache.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/cpu/kernel_set.h"
#include "mikpoly/epilogue.h"

namespace mikpoly::cpu {

// Element strides.
struct Place {
  int64_t row = 0;
  int64_t col = 0;
};

// The same for a whole call. Pointers name the element of row 0 and column 0.
struct Finishing {
  void* c = nullptr;
  Place c_at;
  DType c_type = DType::kF32;
  double alpha = 1;
  double beta = 0;
  struct Step {
    EpilogueStep::Kind kind;
    DType type;
    const void* operand;
    Place at;  // strides of the operand, 0 where it is broadcast
    float low;
    float high;
  };
  std::array<Step, kMaxEpilogueSteps> steps;
  int step_count = 0;
  // Quantization: strides are 1 for one value a row or column, 0 for one for all.
  const float* a_scale = nullptr;
  int64_t a_scale_row = 0;
  const float* b_scale = nullptr;
  int64_t b_scale_col = 0;
  const int32_t* a_zero = nullptr;
  int64_t a_zero_row = 0;
  const int32_t* b_zero = nullptr;
  int64_t b_zero_col = 0;
  float c_scale = 1;
  int32_t c_zero = 0;
  int32_t a_shift = 0;  // what the tiles have added to each element of A
  int64_t depth = 0;    // K of the call

  // Sums of the columns of B, or of the rows of A, are needed.
  bool needs_column_sums() const { return a_shift != 0 || a_zero != nullptr; }
  bool needs_row_sums() const { return b_zero != nullptr; }
};

// A rectangle of sums, complete over K, in the set's type; overwritten.
struct FinishArgs {
  const Finishing* how;
  void* sums;
  int64_t sums_row;
  int64_t row;  // of the rectangle in the output
  int64_t col;
  int64_t rows;
  int64_t cols;
  const int32_t* column_sums;  // of B, the rectangle's first; null where not needed
  const int32_t* row_sums;     // of A, likewise
};

}  // namespace mikpoly::cpu
