#include "planner/explain.h"

#include <algorithm>
#include <span>
#include <vector>

#include "planner/cost_model.h"
#include "planner/drawing.h"

namespace mikpoly {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string size_text(int64_t rows, int64_t cols) {
  return std::to_string(rows) + 'x' + std::to_string(cols);
}

std::string heading(const Plan& plan) {
  const Shape& shape = plan.shape;
  return size_text(shape.m, shape.n) + " output over k = " + std::to_string(shape.k) +
         ": pattern " + std::string(to_string(plan.pattern)) + " on " + std::to_string(plan.units) +
         (plan.units == 1 ? " unit" : " units") + ", " + duration_text(plan.cost_ns) +
         " predicted\n";
}

std::vector<std::string> region_row(const Plan& plan, int i, const Catalog& catalog,
                                    const PlanOptions& options) {
  const Region& region = plan.regions[i];
  const HotKernel& kernel = catalog.hot(region.kernel);
  const double slices = region.k_slices;
  const Piece piece = {&kernel, static_cast<double>(region.rows), static_cast<double>(region.cols),
                       slices, kernel.block_ns(static_cast<double>(plan.shape.k), slices)};
  const Grid grid = kernel.grid(piece.rows, piece.cols);
  const double tasks = grid.blocks() * slices;
  const double slots = plan.units * kernel.resident;
  const double alone = compute_ns(std::span(&piece, 1), options.model, plan.units);
  return {std::string(1, region_letter(i)),
          std::to_string(region.row) + ',' + std::to_string(region.col),
          size_text(region.rows, region.cols),
          catalog.kernel(region.kernel).name,
          fixed(grid.m.count(), 0) + 'x' + fixed(grid.n.count(), 0),
          std::to_string(region.k_slices),
          fixed(tasks, 0),
          fixed(tasks / slots, 2),
          duration_text(piece.block_ns),
          duration_text(alone)};
}

std::string region_table(const Plan& plan, const Catalog& catalog, const PlanOptions& options) {
  Rows rows = {
      {"", "at", "size", "micro-kernel", "blocks", "k", "tasks", "waves", "task", "alone"}};
  for (int i = 0; i < plan.region_count; ++i) {
    rows.push_back(region_row(plan, i, catalog, options));
  }
  return align_columns(rows);
}

std::string kernels_text(const Plan& plan, const Catalog& catalog) {
  std::string text;
  for (int i = 0; i < plan.region_count; ++i) {
    const Region& region = plan.regions[i];
    if (i > 0) text += " | ";
    text += size_text(region.rows, region.cols) + ' ' + catalog.kernel(region.kernel).name;
    if (region.k_slices > 1) text += " k/" + std::to_string(region.k_slices);
  }
  return text;
}

// Whether two plans do the same, whatever they were predicted to cost.
bool same_work(Plan a, const Plan& b) {
  a.cost_ns = b.cost_ns;
  return a == b;
}

std::string candidate_table(const Plan& plan, const Catalog& catalog, const PlanOptions& options,
                            int count) {
  std::vector<Plan> plans = rank_plans(plan.shape, catalog, options, count);
  const auto chosen = [&](const Plan& other) { return same_work(other, plan); };
  if (std::none_of(plans.begin(), plans.end(), chosen)) plans.push_back(plan);
  Rows rows = {{"", "cost", "ratio", "units", "pattern", "regions"}};
  for (const Plan& other : plans) {
    rows.push_back({chosen(other) ? "*" : "", duration_text(other.cost_ns),
                    fixed(plan.cost_ns > 0 ? other.cost_ns / plan.cost_ns : 1, 3),
                    std::to_string(other.units), std::string(to_string(other.pattern)),
                    kernels_text(other, catalog)});
  }
  return align_columns(rows);
}

}  // namespace

std::string explain(const Plan& plan, const Catalog& catalog, const PlanOptions& options,
                    int candidates) {
  std::string text = heading(plan) + '\n' + draw_regions(plan);
  if (plan.region_count <= 0) return text;
  text += '\n' + region_table(plan, catalog, options);
  const double bound = lower_bound_ns(plan.shape, catalog, options, plan.units);
  text += "\n  no plan on these units can take less than " + duration_text(bound) + "; workspace " +
          std::to_string(plan.workspace) + " bytes\n";
  if (candidates > 0) {
    text += "\ncandidates, cheapest first; * chosen, ratio to it\n" +
            candidate_table(plan, catalog, options, candidates);
  }
  return text;
}

}  // namespace mikpoly
