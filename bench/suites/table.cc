#include "bench/suites/table.h"

#include "bench/suites/csv.h"

namespace mikpoly::bench {

std::vector<std::vector<std::string_view>> table_rows(std::string_view text) {
  std::vector<std::vector<std::string_view>> rows;
  bool heading = true;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.empty() || line.front() == '#') continue;
    if (!heading) rows.push_back(split_csv_line(line));
    heading = false;
  }
  return rows;
}

int64_t table_integer(std::string_view field) {
  int64_t value = 0;
  return parse_integer(field, &value) ? value : 0;
}

}  // namespace mikpoly::bench
