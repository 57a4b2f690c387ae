// The whole candidate space, one plan after the other. Nothing here prunes: this is what the search
// is checked against.
#include <algorithm>
#include <limits>

#include "planner/candidates.h"
#include "planner/draft.h"
#include "planner/search.h"
#include "planner/strips.h"

namespace mikpoly {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

class Enumeration {
 public:
  Enumeration(const Shape& shape, const Catalog& catalog, const PlanOptions& options, size_t keep)
      : shape_(shape),
        catalog_(catalog),
        options_(options),
        keep_(keep),
        m_(static_cast<double>(shape.m)),
        n_(static_cast<double>(shape.n)),
        k_(static_cast<double>(shape.k)) {
    for (const HotKernel& kernel : catalog.hot()) {
      kernels_.push_back({&kernel, kernel.block_ns(k_, 1), 0});
    }
  }

  // The plan that the search finds comes first, so that it leads those of equal cost.
  std::vector<Plan> run() {
    plans_.push_back(make_plan(shape_, catalog_, options_));
    for (const int units : unit_choices(catalog_.device(), options_)) {
      for (const TimedKernel& kernel : kernels_) {
        add_whole(kernel, units);
        add_cuts(kernel, true, units);
        add_cuts(kernel, false, units);
      }
    }
    shrink();
    return std::move(plans_);
  }

 private:
  bool allows(Pattern pattern) const {
    return (options_.patterns >> static_cast<unsigned>(pattern) & 1u) != 0;
  }

  void add(const Draft& draft) {
    if (draft.pattern != Pattern::kI && !allows(draft.pattern)) return;
    plans_.push_back(finish(draft, shape_, catalog_, options_));
    if (plans_.size() >= 4 * keep_ + 1024) shrink();
  }

  void shrink() {
    std::stable_sort(plans_.begin(), plans_.end(),
                     [](const Plan& a, const Plan& b) { return a.cost_ns < b.cost_ns; });
    std::vector<Plan> kept;
    for (const Plan& plan : plans_) {
      if (kept.size() == keep_) break;
      if (std::find(kept.begin(), kept.end(), plan) == kept.end()) kept.push_back(plan);
    }
    plans_ = std::move(kept);
  }

  void add_whole(const TimedKernel& timed, int units) {
    const HotKernel& kernel = *timed.kernel;
    Draft draft(Pattern::kI, units);
    draft.add(0, 0, m_, n_, timed);
    add(draft);
    if (!options_.allow_k_split) return;
    const double blocks = kernel.grid(m_, n_).blocks();
    for (const double slices : slice_choices(kernel, k_, blocks, units * kernel.resident)) {
      draft.pieces[0].slices = slices;
      draft.pieces[0].block_ns = kernel.block_ns(k_, slices);
      add(draft);
    }
  }

  void add_cuts(const TimedKernel& first, bool along_m, int units) {
    const HotKernel& kernel = *first.kernel;
    const Axis& axis = along_m ? kernel.m : kernel.n;
    const double across = along_m ? kernel.n.cover(n_) : kernel.m.cover(m_);
    for (const double length :
         cut_choices(axis, along_m ? m_ : n_, across, units * kernel.resident)) {
      const MainCut cut = {along_m, length, m_, n_};
      for (const TimedKernel& second : kernels_) add_pair(cut, first, second, units);
      add_many(cut, first, units);
    }
  }

  void add_pair(const MainCut& cut, const TimedKernel& first, const TimedKernel& second,
                int units) {
    Draft draft = draft_cut(cut, units, first, 0, Strips(), one_strip(second));
    if (first.kernel != second.kernel) add(draft);
    if (!options_.allow_k_split) return;
    const auto blocks = [](const Piece& piece) {
      return piece.kernel->grid(piece.rows, piece.cols).blocks();
    };
    const double idle = idle_units(*first.kernel, blocks(draft.pieces[0]), units);
    for (const double slices : slice_choices(*second.kernel, k_, blocks(draft.pieces[1]),
                                             idle * second.kernel->resident)) {
      draft.pieces[1].slices = slices;
      draft.pieces[1].block_ns = second.kernel->block_ns(k_, slices);
      add(draft);
    }
  }

  // Patterns IV to IX: the kernels beside the first are those of least work.
  void add_many(const MainCut& cut, const TimedKernel& first, int units) {
    const bool across = !cut.along_m;
    const double rows = cut.first_rows();
    const double cols = cut.first_cols();
    const Strips whole = least_whole(kernels_, cut.rest_rows(), cut.rest_cols(), kNoLimit);
    const Strips halves =
        least_strips(kernels_, cut.rest_rows(), cut.rest_cols(), across, 0, kNoLimit);
    const bool has_halves = halves.first.kernel != nullptr;
    if (has_halves) add(draft_cut(cut, units, first, 0, Strips(), halves));
    const Axis& axis = across ? first.kernel->m : first.kernel->n;
    const double lead = axis.full(across ? rows : cols) * axis.block;
    const double rest_rows = across ? rows - lead : rows;
    const double rest_cols = across ? cols : cols - lead;
    if (lead <= 0 || rest_rows <= 0 || rest_cols <= 0) return;
    const Strips tail = least_strips(kernels_, rest_rows, rest_cols, across, 0, kNoLimit);
    if (tail.first.kernel == nullptr) return;
    add(draft_cut(cut, units, first, lead, tail, whole));
    if (has_halves) add(draft_cut(cut, units, first, lead, tail, halves));
  }

  const Shape shape_;
  const Catalog& catalog_;
  const PlanOptions& options_;
  const size_t keep_;
  const double m_;
  const double n_;
  const double k_;
  std::vector<TimedKernel> kernels_;
  std::vector<Plan> plans_;
};

}  // namespace

std::vector<Plan> rank_plans(const Shape& shape, const Catalog& catalog, const PlanOptions& options,
                             int n) {
  if (n <= 0) return {};
  if (shape.m <= 0 || shape.n <= 0 || catalog.kernels().empty()) {
    return {make_plan(shape, catalog, options)};
  }
  return Enumeration(shape, catalog, options, static_cast<size_t>(n)).run();
}

}  // namespace mikpoly
