// The epilogue: from the steps a user lists to the canonical ones, and what they compute.
#pragma once

#include "core/base/canonical.h"
#include "mikpoly/runtime.h"

namespace mikpoly {

// Fills the scalars, the steps and the quantization of `out` from the caller's; pointers to A, B
// and C stay as they are. invalid_argument or unsupported where they do not fit the problem. The
// output is not empty.
Status canonical_epilogue(const CanonicalGemm& gemm, const GemmArgs& args, CallArgs* out);

// Element (i, j) of C from the product alpha * A B there, by the definition, in double; C and
// operands are read where they are needed. The type of C is not met yet.
double finished(const GemmCall& call, const CallArgs& args, int64_t i, int64_t j, double product);
// Stores it, quantized where C is.
void store_output(const GemmCall& call, const CallArgs& args, int64_t i, int64_t j, double value);

}  // namespace mikpoly
