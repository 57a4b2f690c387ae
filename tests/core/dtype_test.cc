#include "mikpoly/dtype.h"

#include <gtest/gtest.h>

#include <utility>

namespace mikpoly {
namespace {

TEST(DType, EveryTypeHasNameAndSizeAndParsesBack) {
  const std::pair<DType, std::size_t> types[] = {
      {DType::kF32, 4}, {DType::kF64, 8}, {DType::kBF16, 2}, {DType::kF16, 2},
      {DType::kS8, 1},  {DType::kU8, 1},  {DType::kS32, 4}};
  for (const auto& [type, bytes] : types) {
    EXPECT_EQ(size_of(type), bytes);
    DType parsed = type == DType::kF32 ? DType::kF64 : DType::kF32;
    EXPECT_TRUE(parse_dtype(to_string(type), &parsed)) << to_string(type);
    EXPECT_EQ(parsed, type);
  }
}

TEST(DType, UnknownValuesAndTexts) {
  const auto unknown = static_cast<DType>(99);
  EXPECT_STREQ(to_string(unknown), "unknown");
  EXPECT_EQ(size_of(unknown), 0U);
  DType type = DType::kS8;
  for (const char* text : {"", "f", "f322", "F32", "unknown"}) {
    EXPECT_FALSE(parse_dtype(text, &type));
  }
  EXPECT_EQ(type, DType::kS8);
}

}  // namespace
}  // namespace mikpoly
