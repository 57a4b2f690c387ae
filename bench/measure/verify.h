// Random and edge-case GEMMs against a reference in double.
#pragma once

#include <cstdint>
#include <string>

#include "mikpoly/runtime.h"

namespace mikpoly::bench {

// The index-th case of a seed: sizes (with zero and one among them), layouts with padded leading
// dimensions, transposes and general strides, alpha and beta (zero among them), packed weights,
// thread counts; operands random or small integers, whose products are exact. With beta 0 the
// output starts as NaN; what lies between its rows must stay as it was. Empty where the result is
// right; else the case, the first bad element and the plan.
std::string verify_case(Runtime* runtime, int64_t index, uint64_t seed);

}  // namespace mikpoly::bench
