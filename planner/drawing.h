// Pieces that explain() and to_svg() share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/catalog.h"
#include "planner/plan.h"

namespace mikpoly {

// Digits after the point as given; never a locale's comma.
std::string fixed(double value, int digits);
// Nanoseconds with a unit that keeps three digits or more, e.g. "81.2 us".
std::string duration_text(double ns);
// "A" for the first region, and so on.
inline char region_letter(int region) { return static_cast<char>('A' + region); }

// The plan's regions as a frame of characters with a letter and, where it fits, the size in each.
// At most 61 x 17 characters; every region is visible, so thin ones are drawn too thick.
std::string draw_regions(const Plan& plan);

// Rows in columns: the first row is the heading, numbers are aligned by the caller's choice of
// text. Every line is indented by two.
std::string align_columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace mikpoly
