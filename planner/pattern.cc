#include "planner/pattern.h"

#include <array>

namespace mikpoly {
namespace {

constexpr std::array<std::string_view, kPatternCount> kNames = {"I",  "II",  "III",  "IV", "V",
                                                                "VI", "VII", "VIII", "IX"};

constexpr std::array<int, kPatternCount> kRegions = {1, 2, 2, 3, 4, 3, 4, 5, 5};

}  // namespace

int region_count(Pattern pattern) { return kRegions[static_cast<size_t>(pattern)]; }

std::string_view to_string(Pattern pattern) { return kNames[static_cast<size_t>(pattern)]; }

bool parse_pattern(std::string_view text, Pattern* pattern) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] != text) continue;
    *pattern = static_cast<Pattern>(i);
    return true;
  }
  return false;
}

}  // namespace mikpoly
