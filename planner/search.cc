#include "planner/search.h"

#include <algorithm>

#include "planner/search_state.h"

namespace mikpoly {

SearchState::SearchState(const Shape& wanted, const Catalog& offered, const PlanOptions& chosen)
    : shape(wanted),
      catalog(offered),
      options(chosen),
      floor(wanted, offered, chosen),
      m(static_cast<double>(wanted.m)),
      n(static_cast<double>(wanted.n)),
      k(static_cast<double>(wanted.k)),
      best(Pattern::kI, 1) {
  const auto ranked = sums_regions() ? catalog.ranked_padded() : catalog.ranked();
  kernel_count = std::min(static_cast<int>(ranked.size()), kMaxKernels);
  const double inv_m = 1 / m;
  const double inv_n = 1 / n;
  for (int i = 0; i < kernel_count; ++i) {
    const HotKernel& kernel = ranked[i];
    const double ns = kernel.block_ns(k, 1);
    const double unit_ns = ns * kernel.inv_resident;
    const double least_m = kernel.m.least_rate(m, inv_m);
    const double least_n = kernel.n.least_rate(n, inv_n);
    const double rate = least_m * least_n * unit_ns;
    timed[i] = {&kernel, ns, rate};
    Score& score = scores[i];
    score.grid = kernel.grid(m, n);
    const double sum_m = score.grid.m.sum();
    const double sum_n = score.grid.n.sum();
    score.work = sum_m * sum_n * unit_ns;
    score.longest = score.grid.largest() * ns;
    score.rate_along_m = least_m * sum_n * inv_n * unit_ns;
    score.rate_along_n = least_n * sum_m * inv_m * unit_ns;
    least_rate = std::min(least_rate, rate);
  }
}

void SearchState::use(int count) {
  units = count;
  inv_units = 1.0 / count;
  ns_per_byte = floor.ns_per_byte(count);
  launch = launch_ns(catalog.device(), count);
}

Plan make_plan(const Shape& shape, const Catalog& catalog, const PlanOptions& options) {
  Plan plan;
  plan.shape = shape;
  if (shape.m <= 0 || shape.n <= 0 || catalog.kernels().empty()) return plan;
  SearchState state(shape, catalog, options);
  const UnitChoices choices = unit_choices(catalog.device(), options);
  for (const int units : choices) {
    state.use(units);
    search_whole(&state);
  }
  if (state.best_ns < options.simple_below_ns) {
    return finish(state.best, shape, catalog, options);
  }
  for (const int units : choices) {
    state.use(units);
    search_two(&state);
    search_many(&state);
  }
  return finish(state.best, shape, catalog, options);
}

}  // namespace mikpoly
