// Single elements of any type, on the host: what the reference is built from.
#pragma once

#include <cstdint>

#include "mikpoly/dtype.h"

namespace mikpoly {

double load_element(DType type, const void* data, int64_t index);

// To nearest even. 8-bit types and s32 saturate, NaN gives their lowest value; bf16 and f16
// overflow to infinity.
void store_element(DType type, void* data, int64_t index, double value);

}  // namespace mikpoly
