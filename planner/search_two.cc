// Patterns II and III: two kernels. Every candidate must first pass bounds that cost a few
// operations, in the order: all pairs, one first region, one second region, one slice count.
#include <algorithm>

#include "planner/search_state.h"
#include "planner/task_list.h"

namespace mikpoly {
namespace {

// A kernel that may serve as the second region.
struct Second {
  int kernel;
  double rate_along_m;  // least work per output below a first region
  double rate_along_n;  // and right of one

  double rate(bool along_m) const { return along_m ? rate_along_m : rate_along_n; }
};

// A kernel for the first region, and the direction of the main cut.
struct First {
  int kernel;
  bool along_m;
  double rate;  // least work per output
};

// First regions tried: those of least work per output. rank_test checks that this is enough.
constexpr int kMaxFirsts = 12;

// A main cut with the first region settled.
struct Head {
  MainCut cut;
  TimedKernel first;
  double work;
  double idle;      // units in the first region's last wave, for slices of the second
  double moving;    // bandwidth floor of both regions, whatever the second kernel
  TaskList tasks;   // of the first region, in slots of its kernel's residency
  SlotTimes times;  // after those tasks

  Head(const MainCut& main_cut, const TimedKernel& timed, const Grid& grid, int units,
       double floor_ns)
      : cut(main_cut),
        first(timed),
        work(timed.work(grid)),
        idle(idle_units(*timed.kernel, grid.blocks(), units)),
        moving(floor_ns),
        tasks(grid, timed.block_ns),
        times(tasks.times(units * timed.kernel->resident, timed.kernel->inv_resident / units)) {}
};

class TwoRegions {
 public:
  explicit TwoRegions(SearchState* state) : state_(*state) {}

  void run() {
    rate_seconds();
    pick_firsts();
    for (int i = 0; i < first_count_ && state_.pairs_left > 0; ++i) {
      try_cuts(firsts_[i].kernel, firsts_[i].along_m);
    }
  }

 private:
  // A kernel whose shortest task is too long must split K there, which makes it dearer.
  void rate_seconds() {
    const double target = state_.target();
    for (int i = 0; i < state_.kernel_count; ++i) {
      const TimedKernel& timed = state_.timed[i];
      const HotKernel& kernel = *timed.kernel;
      double factor = 1;
      if (kernel.m.share(1) * kernel.n.share(1) * timed.block_ns >= target) {
        if (kernel.max_k_slices < 2 || !state_.options.allow_k_split) continue;
        factor = 2 * kernel.block_ns(state_.k, 2) / timed.block_ns;
      }
      const SearchState::Score& score = state_.scores[i];
      const Second second = {i, factor * score.rate_along_m, factor * score.rate_along_n};
      seconds_[second_count_++] = second;
      least_along_m_ = std::min(least_along_m_, second.rate_along_m);
      least_along_n_ = std::min(least_along_n_, second.rate_along_n);
    }
  }

  // Kernels whose task is short enough, and which leave something beside their full blocks.
  void pick_firsts() {
    const bool rows = state_.allows(Pattern::kII);
    const bool cols = state_.allows(Pattern::kIII);
    for (int i = 0; i < state_.kernel_count; ++i) {
      const HotKernel& kernel = *state_.timed[i].kernel;
      const SearchState::Score& score = state_.scores[i];
      if (score.longest >= state_.target()) continue;
      if (rows && state_.m > kernel.m.block) insert_first({i, true, score.rate_along_m});
      if (cols && state_.n > kernel.n.block) insert_first({i, false, score.rate_along_n});
    }
  }

  void insert_first(const First& first) {
    const double least = std::min(first.rate, first.along_m ? least_along_m_ : least_along_n_);
    if (state_.shared(least * state_.m * state_.n) >= state_.target()) return;
    if (first_count_ == kMaxFirsts && firsts_[kMaxFirsts - 1].rate <= first.rate) return;
    int place = first_count_ < kMaxFirsts ? first_count_++ : kMaxFirsts - 1;
    for (; place > 0 && firsts_[place - 1].rate > first.rate; --place) {
      firsts_[place] = firsts_[place - 1];
    }
    firsts_[place] = first;
  }

  void try_cuts(int first, bool along_m) {
    const HotKernel& kernel = *state_.timed[first].kernel;
    const double moving =
        along_m ? state_.moving(state_.m, 2 * state_.n) : state_.moving(2 * state_.m, state_.n);
    if (moving >= state_.target()) return;
    const Grid& grid = state_.scores[first].grid;
    const double across = along_m ? grid.n.count() : grid.m.count();
    const double slots = state_.units * kernel.resident;
    for (const double cut :
         cut_choices(along_m ? kernel.m : kernel.n, along_m ? state_.m : state_.n, across, slots)) {
      try_cut({along_m, cut, state_.m, state_.n}, first, moving);
    }
  }

  void try_cut(const MainCut& cut, int first, double moving) {
    const TimedKernel& timed = state_.timed[first];
    const HotKernel& kernel = *timed.kernel;
    Grid grid = state_.scores[first].grid;
    (cut.along_m ? grid.m : grid.n) = (cut.along_m ? kernel.m : kernel.n).fit(cut.length);
    const double rest = cut.rest_rows() * cut.rest_cols();
    const double work = timed.work(grid);
    const double least_rate = cut.along_m ? least_along_m_ : least_along_n_;
    if (state_.shared(work + rest * least_rate) >= state_.target()) return;
    constexpr double kRounding = 1 - 1e-12;
    const double waves =
        ceil_of(state_.shared(grid.m.big * grid.n.big * kernel.inv_resident) * kRounding);
    if (waves * grid.largest() * timed.block_ns >= state_.target()) return;
    const Head head(cut, timed, grid, state_.units, moving);
    for (int i = 0; i < second_count_ && state_.pairs_left > 0; ++i) {
      if (state_.shared(work + rest * seconds_[i].rate(cut.along_m)) < state_.target()) {
        try_second(head, seconds_[i].kernel);
      }
    }
  }

  void try_second(const Head& head, int i) {
    const TimedKernel& second = state_.timed[i];
    const HotKernel& kernel = *second.kernel;
    Grid grid = state_.scores[i].grid;
    if (head.cut.along_m) {
      grid.m = kernel.m.fit(head.cut.rest_rows());
    } else {
      grid.n = kernel.n.fit(head.cut.rest_cols());
    }
    if (state_.shared(head.work + second.work(grid)) >= state_.target()) return;
    try_pair(head, i, grid, 1, second.block_ns);
    if (!state_.options.allow_k_split) return;
    const double slots = head.idle * kernel.resident;
    for (const double slices : slice_choices(kernel, state_.k, grid.blocks(), slots)) {
      try_pair(head, i, grid, slices, kernel.block_ns(state_.k, slices));
    }
  }

  double moving_of(const Head& head, const HotKernel* second, double slices, double ns) const {
    const MainCut& cut = head.cut;
    const double rows = cut.along_m ? cut.length : cut.m;
    const double cols = cut.along_m ? cut.n : cut.length;
    const Piece pieces[] = {{head.first.kernel, rows, cols, 1, head.first.block_ns},
                            {second, cut.rest_rows(), cut.rest_cols(), slices, ns}};
    return state_.moving(pieces);
  }

  void try_pair(const Head& head, int i, const Grid& grid, double slices, double ns) {
    const TimedKernel& second = state_.timed[i];
    const double work = grid.sum() * ns * second.kernel->inv_resident * slices;
    if (grid.largest() * ns >= state_.target()) return;
    if (state_.shared(head.work + work) >= state_.target()) return;
    if (--state_.pairs_left < 0) return;
    const double moving =
        state_.floor.reads_again() ? moving_of(head, second.kernel, slices, ns) : head.moving;
    if (!state_.improves(pair_ns(head, *second.kernel, grid, slices, ns), moving)) return;
    state_.best = draft_cut(head.cut, state_.units, head.first, 0, Strips(), one_strip(second));
    state_.best.pieces[1].slices = slices;
    state_.best.pieces[1].block_ns = ns;
  }

  double pair_ns(const Head& head, const HotKernel& kernel, const Grid& grid, double slices,
                 double ns) const {
    const HotKernel& first = *head.first.kernel;
    if (state_.sums_regions() || first.resident != kernel.resident) {
      const MainCut& cut = head.cut;
      const std::array<Piece, 2> pieces = {
          Piece{&first, cut.first_rows(), cut.first_cols(), 1, head.first.block_ns},
          Piece{&kernel, cut.rest_rows(), cut.rest_cols(), slices, ns}};
      return compute_ns(pieces, state_.options.model, state_.units);
    }
    if (grid.largest() * ns <= head.tasks.shortest()) {
      return TaskList(grid, ns, slices).after(head.times);
    }
    TaskList tasks = head.tasks;
    tasks.add_grid(grid, ns, slices, 1);
    return tasks.times(state_.units * first.resident, state_.inv_units * first.inv_resident)
        .makespan();
  }

  SearchState& state_;
  int first_count_ = 0;
  std::array<First, kMaxFirsts> firsts_;
  int second_count_ = 0;
  double least_along_m_ = SearchState::kNever;
  double least_along_n_ = SearchState::kNever;
  std::array<Second, SearchState::kMaxKernels> seconds_;
};

}  // namespace

void search_two(SearchState* state) {
  const double work = state->least_rate * state->m * state->n;
  if (overlapped(state->shared(work), state->moving(state->m, state->n)) >= state->target()) return;
  TwoRegions(state).run();
}

}  // namespace mikpoly
