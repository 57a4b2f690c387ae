// From the problem a user states to the one form that backends see.
#pragma once

#include "core/backend/backend.h"
#include "mikpoly/problem.h"
#include "mikpoly/status.h"

namespace mikpoly {

// A validated problem. Where C's columns, not its rows, are contiguous, the transposed problem
// C^T = B^T A^T is taken instead, if A and B are of one type: they have then changed places.
struct CanonicalGemm {
  GemmCall call;
  bool swapped = false;
};

// invalid_argument or unsupported with a message that names the argument, its value and what is
// allowed. Zero sizes pass.
Result<CanonicalGemm> canonicalize(const GemmProblem& problem);

// Canonical strides of a rows x cols matrix called `name` ("a", "b", "c"), or invalid_argument.
Result<Strides> canonical_strides(const char* name, const MatrixLayout& layout, int64_t rows,
                                  int64_t cols, DType type);

}  // namespace mikpoly
