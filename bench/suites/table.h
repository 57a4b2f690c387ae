// The program's own tables (bench/shapes), whose form is known to be right.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace mikpoly::bench {

// The rows of a CSV text below its heading; comments and empty lines are skipped. The views point
// into `text`.
std::vector<std::vector<std::string_view>> table_rows(std::string_view text);

// The integer a field holds; 0 where it holds none.
int64_t table_integer(std::string_view field);

}  // namespace mikpoly::bench
