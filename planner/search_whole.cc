// Pattern I: one kernel on the whole output, with and without slices of K.
#include <algorithm>

#include "planner/search_state.h"
#include "planner/task_list.h"

namespace mikpoly {
namespace {

double whole_ns(const SearchState& state, int i, double slices, double ns) {
  const HotKernel& kernel = *state.timed[i].kernel;
  const Grid& grid = state.scores[i].grid;
  const double slots = state.units * kernel.resident;
  const double tasks = grid.blocks() * slices;
  if (state.sums_regions()) return ceil_of(tasks / slots) * ns;
  if (tasks <= slots) return grid.largest() * ns;
  TaskList list;
  list.add_grid(grid, ns, slices, 1);
  return list.times(slots, state.inv_units * kernel.inv_resident).makespan();
}

void try_whole(SearchState* state, int i, double slices, double ns) {
  const Piece piece = {state->timed[i].kernel, state->m, state->n, slices, ns};
  if (!state->improves(whole_ns(*state, i, slices, ns), state->moving({&piece, 1}))) return;
  state->best = Draft(Pattern::kI, state->units);
  state->best.add(0, 0, piece);
}

void try_slices(SearchState* state, int i) {
  const HotKernel& kernel = *state->timed[i].kernel;
  const Grid& grid = state->scores[i].grid;
  const double slots = state->units * kernel.resident;
  const double blocks = grid.blocks();
  if (kernel.max_k_slices < 2 || blocks >= slots) return;
  for (const double slices : slice_choices(kernel, state->k, blocks, slots)) {
    const double ns = kernel.block_ns(state->k, slices);
    if (grid.largest() * ns >= state->limit()) continue;
    const double work = grid.sum() * ns * kernel.inv_resident * slices;
    if (state->shared(work) < state->limit()) try_whole(state, i, slices, ns);
  }
}

}  // namespace

// The kernel that promises most comes first, so that most others can be skipped.
void search_whole(SearchState* state) {
  const double moving = state->moving(state->m, state->n);
  if (moving >= state->limit()) return;
  const auto bound = [state, moving](int i) {
    const double compute = std::max(state->shared(state->scores[i].work), state->scores[i].longest);
    return overlapped(compute, moving);
  };
  int first = 0;
  for (int i = 1; i < state->kernel_count; ++i) {
    if (bound(i) < bound(first)) first = i;
  }
  try_whole(state, first, 1, state->timed[first].block_ns);
  for (int i = 0; i < state->kernel_count; ++i) {
    if (i != first && bound(i) < state->limit()) {
      try_whole(state, i, 1, state->timed[i].block_ns);
    }
  }
  if (!state->options.allow_k_split) return;
  for (int i = 0; i < state->kernel_count; ++i) try_slices(state, i);
}

}  // namespace mikpoly
