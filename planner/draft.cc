#include "planner/draft.h"

namespace mikpoly {

Plan finish(const Draft& draft, const Shape& shape, const Catalog& catalog,
            const PlanOptions& options) {
  Plan plan;
  plan.shape = shape;
  plan.pattern = draft.pattern;
  plan.units = draft.units;
  plan.region_count = draft.count;
  for (int i = 0; i < draft.count; ++i) {
    const Piece& piece = draft.pieces[i];
    plan.regions[i] = {.row = static_cast<int64_t>(draft.rows[i]),
                       .col = static_cast<int64_t>(draft.cols[i]),
                       .rows = static_cast<int64_t>(piece.rows),
                       .cols = static_cast<int64_t>(piece.cols),
                       .kernel = piece.kernel->id,
                       .k_slices = static_cast<int32_t>(piece.slices)};
  }
  plan.cost_ns = plan_ns(plan, catalog, options);
  plan.workspace = workspace_bytes(plan, catalog);
  return plan;
}

}  // namespace mikpoly
