#include "planner/plan.h"

#include <charconv>
#include <limits>
#include <span>

#include "planner/catalog.h"

namespace mikpoly {
namespace {

template <typename Number>
void append(std::string* text, Number value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text->append(digits, end);
}

void append(std::string* text, const Region& region, const Catalog& catalog) {
  *text += '[';
  append(text, region.row);
  *text += ',';
  append(text, region.col);
  *text += ' ';
  append(text, region.rows);
  *text += 'x';
  append(text, region.cols);
  *text += " k=";
  append(text, region.k_slices);
  *text += ' ';
  *text += catalog.kernel(region.kernel).name;
  *text += ']';
}

}  // namespace

int64_t workspace_bytes(const Plan& plan, const Catalog& catalog) {
  double bytes = 0;
  for (const Region& region : std::span(plan.regions.data(), size_t(plan.region_count))) {
    if (region.k_slices <= 1) continue;
    const HotKernel& kernel = catalog.hot(region.kernel);
    const Grid grid =
        kernel.grid(static_cast<double>(region.rows), static_cast<double>(region.cols));
    bytes += grid.blocks() * region.k_slices *
             static_cast<double>(catalog.kernel(region.kernel).slice_bytes);
  }
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  return bytes < 9.2e18 ? static_cast<int64_t>(bytes) : kLargest;
}

std::string to_string(const Plan& plan, const Catalog& catalog) {
  std::string text(to_string(plan.pattern));
  text += ' ';
  append(&text, plan.shape.m);
  text += 'x';
  append(&text, plan.shape.n);
  text += 'x';
  append(&text, plan.shape.k);
  text += " units=";
  append(&text, plan.units);
  text += " cost=";
  append(&text, plan.cost_ns);
  if (plan.region_count > 0) text += ' ';
  for (int i = 0; i < plan.region_count; ++i) append(&text, plan.regions[i], catalog);
  return text;
}

}  // namespace mikpoly
