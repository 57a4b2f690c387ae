#include "planner/draft.h"

namespace mikpoly {

Pattern pattern_of(bool along_m, int first_regions, int second_regions) {
  const bool three = first_regions == 3;
  if (second_regions == 1) {
    if (three) return along_m ? Pattern::kV : Pattern::kVII;
    return along_m ? Pattern::kII : Pattern::kIII;
  }
  if (three) return along_m ? Pattern::kIX : Pattern::kVIII;
  return along_m ? Pattern::kVI : Pattern::kIV;
}

void Draft::add_strips(double row, double col, double height, double width, bool along_m,
                       const Strips& strips) {
  if (strips.second.kernel == nullptr) {
    add(row, col, height, width, strips.first);
  } else if (along_m) {
    add(row, col, strips.length, width, strips.first);
    add(row + strips.length, col, height - strips.length, width, strips.second);
  } else {
    add(row, col, height, strips.length, strips.first);
    add(row, col + strips.length, height, width - strips.length, strips.second);
  }
}

Draft draft_cut(const MainCut& cut, int units, const TimedKernel& first, double lead,
                const Strips& tail, const Strips& second) {
  const int second_regions = second.second.kernel == nullptr ? 1 : 2;
  Draft draft(pattern_of(cut.along_m, lead > 0 ? 3 : 1, second_regions), units);
  const double rows = cut.first_rows();
  const double cols = cut.first_cols();
  const bool across = !cut.along_m;  // the parts are divided the other way
  if (lead <= 0) {
    draft.add(0, 0, rows, cols, first);
  } else if (across) {
    draft.add(0, 0, lead, cols, first);
    draft.add_strips(lead, 0, rows - lead, cols, across, tail);
  } else {
    draft.add(0, 0, rows, lead, first);
    draft.add_strips(0, lead, rows, cols - lead, across, tail);
  }
  draft.add_strips(cut.along_m ? cut.length : 0, cut.along_m ? 0 : cut.length, cut.rest_rows(),
                   cut.rest_cols(), across, second);
  return draft;
}

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
