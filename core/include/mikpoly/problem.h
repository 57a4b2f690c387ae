// What to compute: C = alpha * A B + beta * C with A (m x k), B (k x n), C (m x n).
#pragma once

#include <cstdint>

#include "mikpoly/dtype.h"

namespace mikpoly {

// How a matrix lies in memory, counted in elements. Row-major unless said otherwise. Strides of
// dimensions of size 1 are ignored.
struct MatrixLayout {
  enum class Kind {
    kRowMajor,    // element (r, c) at r * ld + c
    kTransposed,  // element (r, c) at c * ld + r: the matrix is stored as its transpose
    kStrided,     // element (r, c) at r * row_stride + c * col_stride
    kPacked,      // B only: made by Runtime::pack
  };
  Kind kind = Kind::kRowMajor;
  int64_t ld = 0;  // leading dimension; 0 means tight; else at least the length of a stored row
  int64_t row_stride = 0;  // kStrided only; non-negative, 0 broadcasts (A and B only)
  int64_t col_stride = 0;

  static MatrixLayout row_major(int64_t ld = 0) { return {Kind::kRowMajor, ld, 0, 0}; }
  static MatrixLayout transposed(int64_t ld = 0) { return {Kind::kTransposed, ld, 0, 0}; }
  static MatrixLayout strided(int64_t row_stride, int64_t col_stride) {
    return {Kind::kStrided, 0, row_stride, col_stride};
  }
  static MatrixLayout packed() { return {Kind::kPacked, 0, 0, 0}; }

  friend bool operator==(const MatrixLayout&, const MatrixLayout&) = default;
};

// Source: BLAS xGEMM, in row-major order, with the BLAS rules for alpha, beta and empty sizes:
// beta == 0 never reads C; alpha == 0 or k == 0 gives beta * C and reads neither A nor B; a zero m
// or n is a successful no-op. C must not overlap A or B, nor itself.
//
// Types (a x b -> c): f64 x f64 -> f64; f32, bf16 or f16 x any of these or 8-bit weights -> f32,
// bf16, f16, s8 or u8, with sums in f32; s8 or u8 x s8 -> s32 (exact, modulo 2^32), f32, bf16, f16,
// s8 or u8, with sums in s32. Products of bf16 are exact where they are normal numbers of f32. s32
// output takes alpha 1, beta 0 or 1, and no epilogue or scale.
struct GemmProblem {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  DType a_type = DType::kF32;
  DType b_type = DType::kF32;
  DType c_type = DType::kF32;
  MatrixLayout a;
  MatrixLayout b;
  MatrixLayout c;

  friend bool operator==(const GemmProblem&, const GemmProblem&) = default;
};

}  // namespace mikpoly
