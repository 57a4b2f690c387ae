#include "planner/pattern.h"

#include <gtest/gtest.h>

namespace mikpoly {
namespace {

TEST(Pattern, TextRoundTrips) {
  for (int i = 0; i < kPatternCount; ++i) {
    const Pattern pattern = static_cast<Pattern>(i);
    Pattern read = Pattern::kI;
    ASSERT_TRUE(parse_pattern(to_string(pattern), &read));
    EXPECT_EQ(read, pattern);
  }
}

TEST(Pattern, UnknownTextIsRefused) {
  Pattern pattern = Pattern::kIV;
  for (const char* text : {"", "X", "i", "II ", "IIII"})
    EXPECT_FALSE(parse_pattern(text, &pattern));
  EXPECT_EQ(pattern, Pattern::kIV);
}

}  // namespace
}  // namespace mikpoly
