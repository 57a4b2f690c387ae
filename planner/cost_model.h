// Predicted time of tasks, regions and plans. Pure functions.
//
// Where the model is blind: the order of blocks and what caches keep between them (bandwidth counts
// every operand of a region once); a unit that runs fewer blocks than it can hold (each then ends
// sooner than its curve says); differences between units; and the length of K slices, all charged
// as the longest.
#pragma once

#include <span>

#include "planner/catalog.h"
#include "planner/plan.h"
#include "planner/search.h"

namespace mikpoly {

// Nanoseconds of one task of rows x cols outputs over depth of K on one unit.
double task_ns(const MicroKernel& kernel, int64_t rows, int64_t cols, int64_t depth);

// Nanoseconds of a whole plan under the model, launch included.
double plan_ns(const Plan& plan, const Catalog& catalog, const PlanOptions& options);

// No plan over this catalog on `units` units can be predicted to cost less.
double lower_bound_ns(const Shape& shape, const Catalog& catalog, const PlanOptions& options,
                      int units);

// Starting and joining a plan on so many units; 0 for a plan that runs serially in the caller.
double launch_ns(const DeviceModel& device, int units);

// Compute and the bandwidth floor hide each other but for a share of the shorter: of plans that the
// memory holds up alike, the one with less work, or with more units at work, is the better.
inline double overlapped(double compute, double moving) {
  constexpr double kExposed = 0.1;
  return compute > moving ? compute + kExposed * moving : moving + kExposed * compute;
}

// A region with what the model asks of it at hand.
struct Piece {
  const HotKernel* kernel;
  double rows;
  double cols;
  double slices;
  double block_ns;  // of a full block's task
};

// Time that pieces take on so many units, launch and bandwidth left out.
double compute_ns(std::span<const Piece> pieces, CostModel model, int units);

// Bandwidth floor: bytes that regions move, over what so many units draw from the innermost level
// that holds the whole problem. 0 under the models without one. Blocks are worked off down a
// region's columns: B's strip of a block column is read again for every row of blocks where the
// level inside can't keep it, and A for every column of blocks. Half of a level counts as kept.
class BandwidthFloor {
 public:
  BandwidthFloor(const Shape& shape, const Catalog& catalog, const PlanOptions& options);

  // `rows` and `cols` are summed over the regions: A is read once for each region, so is B.
  double bytes(double rows, double cols) const { return output_ + a_row_ * rows + b_col_ * cols; }
  // With what each piece reads again: never less than bytes() of the summed extents.
  double bytes(std::span<const Piece> pieces) const;
  // Whether that can differ.
  bool reads_again() const { return kept_ > 0; }
  double ns_per_byte(int units) const;

 private:
  double kept_ = 0;  // bytes of operands that stay in the level inside; 0 where all do
  double output_ = 0;
  double a_row_ = 0;
  double b_col_ = 0;
  MemoryLevel level_;
};

}  // namespace mikpoly
