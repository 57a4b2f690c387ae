#include "mikpoly/dtype.h"

#include <cstring>

namespace mikpoly {
namespace {

struct TypeRow {
  DType type;
  const char* name;
  std::size_t bytes;
};
constexpr TypeRow kTypes[] = {
    {DType::kF32, "f32", 4}, {DType::kF64, "f64", 8}, {DType::kBF16, "bf16", 2},
    {DType::kF16, "f16", 2}, {DType::kS8, "s8", 1},   {DType::kU8, "u8", 1},
    {DType::kS32, "s32", 4},
};

}  // namespace

const char* to_string(DType type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return row.name;
  }
  return "unknown";
}

std::size_t size_of(DType type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return row.bytes;
  }
  return 0;
}

bool parse_dtype(const char* text, DType* type) {
  for (const TypeRow& row : kTypes) {
    if (std::strcmp(row.name, text) == 0) {
      *type = row.type;
      return true;
    }
  }
  return false;
}

}  // namespace mikpoly
