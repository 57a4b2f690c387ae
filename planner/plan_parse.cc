// Reads the one-line form of a plan. A line may come from a file, so nothing in it is trusted.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "planner/catalog.h"
#include "planner/plan.h"

namespace mikpoly {
namespace {

// Takes tokens off the front of a text; each call is true where the token was there.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  bool literal(std::string_view expected) {
    if (text_.substr(0, expected.size()) != expected) return false;
    text_.remove_prefix(expected.size());
    return true;
  }
  template <typename Number>
  bool number(Number* value) {
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), *value);
    if (error != std::errc()) return false;
    text_.remove_prefix(static_cast<size_t>(end - text_.data()));
    return true;
  }
  bool until(char stop, std::string_view* word) {
    const size_t length = text_.find(stop);
    if (length == std::string_view::npos) return false;
    *word = text_.substr(0, length);
    text_.remove_prefix(length + 1);
    return true;
  }

 private:
  std::string_view text_;
};

bool read_region(Reader* in, const Catalog& catalog, Region* region) {
  std::string_view name;
  if (!in->literal("[") || !in->number(&region->row) || !in->literal(",") ||
      !in->number(&region->col) || !in->literal(" ") || !in->number(&region->rows) ||
      !in->literal("x") || !in->number(&region->cols) || !in->literal(" k=") ||
      !in->number(&region->k_slices) || !in->literal(" ") || !in->until(']', &name)) {
    return false;
  }
  region->kernel = catalog.find(name);
  return region->kernel >= 0 && region->k_slices >= 1 &&
         region->k_slices <= std::max(1, catalog.kernel(region->kernel).max_k_slices);
}

bool inside(const Region& region, const Shape& shape) {
  return region.row >= 0 && region.col >= 0 && region.rows > 0 && region.cols > 0 &&
         region.rows <= shape.m && region.row <= shape.m - region.rows && region.cols <= shape.n &&
         region.col <= shape.n - region.cols;
}

bool contains(const Region& region, int64_t row, int64_t col) {
  return region.row <= row && row < region.row + region.rows && region.col <= col &&
         col < region.col + region.cols;
}

// The regions' edges cut the output into cells, each wholly inside or outside of every region; the
// output is covered once where every cell's first corner is. Exact at any size, where a sum of
// areas could overflow.
bool covers(std::span<const Region> regions, const Shape& shape) {
  std::array<int64_t, 2 * Plan::kMaxRegions + 1> rows{};
  std::array<int64_t, 2 * Plan::kMaxRegions + 1> cols{};
  size_t edges = 1;
  for (const Region& region : regions) {
    if (!inside(region, shape)) return false;
    rows[edges] = region.row;
    cols[edges++] = region.col;
    rows[edges] = region.row + region.rows;
    cols[edges++] = region.col + region.cols;
  }
  for (const int64_t row : std::span(rows.data(), edges)) {
    for (const int64_t col : std::span(cols.data(), edges)) {
      if (row >= shape.m || col >= shape.n) continue;
      const auto at_corner = [&](const Region& region) { return contains(region, row, col); };
      if (std::count_if(regions.begin(), regions.end(), at_corner) != 1) return false;
    }
  }
  return true;
}

bool read_plan(Reader* in, const Catalog& catalog, Plan* plan) {
  std::string_view pattern;
  if (!in->until(' ', &pattern) || !parse_pattern(pattern, &plan->pattern) ||
      !in->number(&plan->shape.m) || !in->literal("x") || !in->number(&plan->shape.n) ||
      !in->literal("x") || !in->number(&plan->shape.k) || !in->literal(" units=") ||
      !in->number(&plan->units) || !in->literal(" cost=") || !in->number(&plan->cost_ns)) {
    return false;
  }
  if (plan->shape.m < 0 || plan->shape.n < 0 || plan->shape.k < 0 || plan->units < 1 ||
      !std::isfinite(plan->cost_ns) || plan->cost_ns < 0) {
    return false;
  }
  if (in->done()) return plan->shape.m == 0 || plan->shape.n == 0;
  if (!in->literal(" ")) return false;
  for (; !in->done(); ++plan->region_count) {
    if (plan->region_count == Plan::kMaxRegions) return false;
    if (!read_region(in, catalog, &plan->regions[plan->region_count])) return false;
  }
  return plan->region_count == region_count(plan->pattern) &&
         covers(std::span(plan->regions.data(), size_t(plan->region_count)), plan->shape);
}

}  // namespace

bool parse_plan(std::string_view line, const Catalog& catalog, Plan* plan) {
  Reader in(line);
  Plan read;
  if (!read_plan(&in, catalog, &read)) return false;
  read.workspace = workspace_bytes(read, catalog);
  *plan = read;
  return true;
}

}  // namespace mikpoly
