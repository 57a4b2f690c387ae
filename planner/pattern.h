// The nine polymerization patterns: how an output is cut into regions.
#pragma once

#include <string_view>

namespace mikpoly {

// The skeleton has seven blocks: a left column 1 over 4 over 5, a top row 1 2 3, and 6 over 7 under
// 2 and 3. A pattern groups blocks into regions; each region gets one micro-kernel.
enum class Pattern {
  kI,     // 1234567
  kII,    // 123|4567         one horizontal cut
  kIII,   // 145|2367         one vertical cut
  kIV,    // 145|236|7
  kV,     // 1|2|3|4567
  kVI,    // 123|45|67
  kVII,   // 1|4|5|2367
  kVIII,  // 1|4|5|236|7
  kIX,    // 1|2|3|45|67
};
inline constexpr int kPatternCount = 9;

// Regions of a pattern; fewer than seven blocks because a pattern groups them.
int region_count(Pattern pattern);

// Roman numeral, "I" to "IX".
std::string_view to_string(Pattern pattern);
// False where the text names no pattern.
bool parse_pattern(std::string_view text, Pattern* pattern);

}  // namespace mikpoly
