// Patterns IV to IX: three to five kernels. They pay where blocks fit neither m nor n, so the main
// cut is only tried after the last full block, and the kernels beside the first are those of least
// work.
#include <algorithm>

#include "planner/search_state.h"

namespace mikpoly {
namespace {

// First kernels tried, those of least work per output. With two, as many of 1000 random shapes
// missed the best of rank_plans by 2 % as with one: 0 on two cores, 2 on many units.
constexpr int kFirsts = 1;
// So many regions must promise a plan this much cheaper than one with fewer.
constexpr double kWorthwhile = 0.98;

double target_of(const SearchState& state) { return state.best_ns * kWorthwhile - state.launch; }

// The kernels whose tasks are short enough for a plan better than the best so far.
struct Candidates {
  std::array<TimedKernel, SearchState::kMaxKernels> kernels;
  int count = 0;
  double least_rate = SearchState::kNever;
  std::array<TimedKernel, kFirsts> firsts;  // those of least work per output
  int first_count = 0;

  explicit Candidates(const SearchState& state) {
    for (const TimedKernel& timed : state.kernels()) {
      const HotKernel& kernel = *timed.kernel;
      if (kernel.m.share(1) * kernel.n.share(1) * timed.block_ns >= target_of(state)) continue;
      kernels[count++] = timed;
      least_rate = std::min(least_rate, timed.least_rate);
      if (kernel.m.block < state.m || kernel.n.block < state.n) insert_first(timed);
    }
  }
  void insert_first(const TimedKernel& timed) {
    if (first_count == kFirsts && firsts[kFirsts - 1].least_rate <= timed.least_rate) return;
    int place = first_count < kFirsts ? first_count++ : kFirsts - 1;
    for (; place > 0 && firsts[place - 1].least_rate > timed.least_rate; --place) {
      firsts[place] = firsts[place - 1];
    }
    firsts[place] = timed;
  }
  std::span<const TimedKernel> all() const { return {kernels.data(), size_t(count)}; }
};

class ManyRegions {
 public:
  ManyRegions(SearchState* state, const Candidates& candidates, const TimedKernel& first,
              bool along_m)
      : state_(*state),
        candidates_(candidates),
        first_(first),
        cut_{along_m, 0, state->m, state->n} {}

  void run() {
    const Axis& axis = cut_.along_m ? first_.kernel->m : first_.kernel->n;
    const double length = cut_.along_m ? state_.m : state_.n;
    cut_.length = axis.full(length) * axis.block;
    if (cut_.length <= 0 || cut_.length >= length) return;
    if (!first_waves_fit(cut_.first_rows(), cut_.first_cols())) return;
    const double rest = cut_.rest_rows() * cut_.rest_cols();
    find_first_part();
    if (!promises(least_first_ + rest * candidates_.least_rate)) return;
    find_second_part();
    if (halves_.first.kernel != nullptr) consider(0, halves_);
    if (tail_.first.kernel == nullptr || whole_.first.kernel == nullptr) return;
    consider(lead_, whole_);
    if (halves_.first.kernel != nullptr) consider(lead_, halves_);
  }

 private:
  bool promises(double work) const { return state_.shared(work) < target_of(state_); }
  // Whether the first kernel's full blocks alone take few enough waves.
  bool first_waves_fit(double rows, double cols) const {
    const HotKernel& kernel = *first_.kernel;
    const double blocks = kernel.m.full(rows) * kernel.n.full(cols);
    return ceil_of(state_.shared(blocks * kernel.inv_resident) * (1 - 1e-12)) * first_.block_ns <
           target_of(state_);
  }
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
    if (!promises(lead_work_ + rest * candidates_.least_rate)) return;
    tail_ = least_strips(candidates_.all(), rest_rows, rest_cols, across, candidates_.least_rate,
                         first_work_ - lead_work_);
    if (tail_.first.kernel != nullptr) least_first_ = lead_work_ + tail_.work;
  }

  // The second part as one region and as two.
  void find_second_part() {
    const double limit = target_of(state_) * state_.units - least_first_;
    whole_ = least_whole(candidates_.all(), cut_.rest_rows(), cut_.rest_cols(), limit);
    if (!allows(1, 2) && !allows(3, 2)) return;
    halves_ = least_strips(candidates_.all(), cut_.rest_rows(), cut_.rest_cols(), !cut_.along_m,
                           candidates_.least_rate, whole_.work);
  }

  void consider(double lead, const Strips& second) {
    const double first = lead > 0 ? lead_work_ + tail_.work : first_work_;
    if (!promises(first + second.work)) return;
    const Draft draft = draft_cut(cut_, state_.units, first_, lead, tail_, second);
    if (!state_.allows(draft.pattern)) return;
    const double compute = compute_ns(draft.all(), state_.options.model, state_.units);
    if (state_.improves(compute, state_.moving(draft.all()))) state_.best = draft;
  }

  SearchState& state_;
  const Candidates& candidates_;
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
  const double area = state->m * state->n;
  if (state->shared(state->least_rate * area) >= target_of(*state)) return;
  const Candidates candidates(*state);
  for (int i = 0; i < candidates.first_count; ++i) {
    if (state->shared(candidates.least_rate * area) >= target_of(*state)) return;
    ManyRegions(state, candidates, candidates.firsts[i], true).run();
    ManyRegions(state, candidates, candidates.firsts[i], false).run();
  }
}

}  // namespace mikpoly
