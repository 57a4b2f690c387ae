// What the steps of a search share: the kernels on this shape, the unit count looked at, and the
// best plan so far. Inner header of the search.
#pragma once

#include <array>
#include <limits>
#include <span>

#include "planner/candidates.h"
#include "planner/cost_model.h"
#include "planner/draft.h"
#include "planner/strips.h"

namespace mikpoly {

struct SearchState {
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  // Bounds the stack a search takes. Further kernels, the slowest asymptotically, are not looked
  // at.
  static constexpr int kMaxKernels = 256;
  // Pairs of regions costed in one search: bounds the slowest searches, see plan_budget_test.
  static constexpr int kMaxPairs = 140;
  // A cut must promise a plan this much cheaper to be looked at.
  static constexpr double kWorthwhile = 0.99;

  struct Score {
    Grid grid;       // of the whole output
    double work;     // of the whole output on one unit
    double longest;  // task
    // Least work per output of a region that takes all columns, but any number of rows; and of one
    // that takes all rows.
    double rate_along_m;
    double rate_along_n;

    double rate(bool along_m) const { return along_m ? rate_along_m : rate_along_n; }
  };

  SearchState(const Shape& wanted, const Catalog& offered, const PlanOptions& chosen);

  // Turns to plans on so many units.
  void use(int count);
  bool allows(Pattern pattern) const {
    return (options.patterns >> static_cast<unsigned>(pattern) & 1u) != 0;
  }
  bool sums_regions() const { return options.model == CostModel::kWavePipe; }
  std::span<const TimedKernel> kernels() const { return {timed.data(), size_t(kernel_count)}; }
  // Time without launch that a plan must stay below: to be kept, and to be worth a look.
  double limit() const { return best_ns - launch; }
  double target() const { return best_ns * kWorthwhile - launch; }
  // The fewest units' time that this much work can take.
  double shared(double work) const { return work * inv_units; }
  // Bandwidth floor where the regions' rows and columns add up to these.
  double moving(double rows, double cols) const { return floor.bytes(rows, cols) * ns_per_byte; }
  double moving(std::span<const Piece> pieces) const { return floor.bytes(pieces) * ns_per_byte; }
  // Whether a plan of this cost, launch left out, is the best so far; the caller then sets `best`.
  bool improves(double compute, double floor_ns) {
    const double cost = overlapped(compute, floor_ns) + launch;
    if (cost >= best_ns) return false;
    best_ns = cost;
    return true;
  }

  const Shape& shape;
  const Catalog& catalog;
  const PlanOptions& options;
  const BandwidthFloor floor;
  const double m;
  const double n;
  const double k;

  int kernel_count = 0;
  double least_rate = kNever;  // of all kernels
  std::array<TimedKernel, kMaxKernels> timed;
  std::array<Score, kMaxKernels> scores;

  int units = 1;
  double inv_units = 1;
  double ns_per_byte = 0;
  double launch = 0;

  int pairs_left = kMaxPairs;
  double best_ns = kNever;
  Draft best;
};

// The steps, for the units in use. Each keeps what it finds to be better.
void search_whole(SearchState* state);  // pattern I
void search_two(SearchState* state);    // patterns II and III
void search_many(SearchState* state);   // patterns IV to IX

}  // namespace mikpoly
