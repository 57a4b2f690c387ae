// Element types.
#pragma once

#include <cstddef>

#include "mikpoly/export.h"

namespace mikpoly {

enum class DType {
  kF32,
  kF64,
  kBF16,
  kF16,
  kS8,
  kU8,
  kS32,
};
inline constexpr int kDTypes = 7;

// "f32", "bf16", ...; "unknown" for a value that is not one of the above.
MIKPOLY_EXPORT const char* to_string(DType type);
// Bytes of one element; 0 for a value that is not one of the above.
MIKPOLY_EXPORT std::size_t size_of(DType type);
// False where the text names no type; *type is then unchanged.
MIKPOLY_EXPORT bool parse_dtype(const char* text, DType* type);

}  // namespace mikpoly
