// Patterns IV to IX: three to five kernels. They pay where blocks fit neither m nor n, so the main
// cut is only tried after the last full block, and the kernels beside the first are those of least
// work.
#include <algorithm>

#include "planner/search_state.h"

namespace mikpoly {
namespace {

// First kernels tried: the best few; more of them changed no plan by 2 % on random shapes.
constexpr int kFirsts = 3;

class ManyRegions {
 public:
  ManyRegions(SearchState* state, const TimedKernel& first, bool along_m)
      : state_(*state), first_(first), cut_{along_m, 0, state->m, state->n} {}

  void run() {
    const Axis& axis = cut_.along_m ? first_.kernel->m : first_.kernel->n;
    const double length = cut_.along_m ? state_.m : state_.n;
    cut_.length = axis.full(length) * axis.block;
    if (cut_.length <= 0 || cut_.length >= length) return;
    const double rest = cut_.rest_rows() * cut_.rest_cols();
    find_first_part();
    if (!promises(least_first_ + rest * state_.least_rate)) return;
    find_second_part();
    if (halves_.first.kernel != nullptr) consider(0, halves_);
    if (tail_.first.kernel == nullptr || whole_.first.kernel == nullptr) return;
    consider(lead_, whole_);
    if (halves_.first.kernel != nullptr) consider(lead_, halves_);
  }

 private:
  bool promises(double work) const { return state_.shared(work) < state_.target(); }
  bool allows(int first_regions, int second_regions) const {
    return state_.allows(pattern_of(cut_.along_m, first_regions, second_regions));
  }

  // The first part as one region of the first kernel, and as its full blocks with two more beside.
  void find_first_part() {
    const bool across = !cut_.along_m;
    const double rows = cut_.first_rows();
    const double cols = cut_.first_cols();
    first_work_ = least_first_ = first_.work(rows, cols);
    if (!allows(3, 1) && !allows(3, 2)) return;
    const Axis& axis = across ? first_.kernel->m : first_.kernel->n;
    lead_ = axis.full(across ? rows : cols) * axis.block;
    const double rest_rows = across ? rows - lead_ : rows;
    const double rest_cols = across ? cols : cols - lead_;
    if (lead_ <= 0 || rest_rows <= 0 || rest_cols <= 0) return;
    lead_work_ = across ? first_.work(lead_, cols) : first_.work(rows, lead_);
    const double rest = cut_.rest_rows() * cut_.rest_cols() + rest_rows * rest_cols;
    if (!promises(lead_work_ + rest * state_.least_rate)) return;
    tail_ = least_strips(state_.kernels(), rest_rows, rest_cols, across, state_.least_rate,
                         first_work_ - lead_work_);
    if (tail_.first.kernel != nullptr) least_first_ = lead_work_ + tail_.work;
  }

  // The second part as one region and as two.
  void find_second_part() {
    const double limit = state_.target() * state_.units - least_first_;
    whole_ = least_whole(state_.kernels(), cut_.rest_rows(), cut_.rest_cols(), limit);
    if (!allows(1, 2) && !allows(3, 2)) return;
    halves_ = least_strips(state_.kernels(), cut_.rest_rows(), cut_.rest_cols(), !cut_.along_m,
                           state_.least_rate, whole_.work);
  }

  void consider(double lead, const Strips& second) {
    const double first = lead > 0 ? lead_work_ + tail_.work : first_work_;
    if (!promises(first + second.work)) return;
    const Draft draft = draft_cut(cut_, state_.units, first_, lead, tail_, second);
    if (!state_.allows(draft.pattern)) return;
    double rows = 0;
    double cols = 0;
    for (const Piece& piece : draft.all()) {
      rows += piece.rows;
      cols += piece.cols;
    }
    const double compute = compute_ns(draft.all(), state_.options.model, state_.units);
    if (state_.improves(compute, state_.moving(rows, cols))) state_.best = draft;
  }

  SearchState& state_;
  const TimedKernel& first_;
  MainCut cut_;
  double first_work_ = 0;
  double least_first_ = 0;
  double lead_ = 0;
  double lead_work_ = 0;
  Strips tail_;
  Strips whole_;
  Strips halves_;
};

}  // namespace

void search_many(SearchState* state) {
  constexpr uint32_t kManyRegions = ~uint32_t{7};
  if ((state->options.patterns & kManyRegions) == 0) return;
  const double least = state->shared(state->least_rate * state->m * state->n);
  const int count = std::min(state->first_count, kFirsts);
  for (int i = 0; i < count && least < state->target(); ++i) {
    const TimedKernel& first = state->timed[state->firsts[i]];
    ManyRegions(state, first, true).run();
    ManyRegions(state, first, false).run();
  }
}

}  // namespace mikpoly
