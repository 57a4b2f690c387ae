// A plan under construction, in the search's terms. Inner header.
#pragma once

#include <array>
#include <span>

#include "planner/cost_model.h"
#include "planner/plan.h"
#include "planner/strips.h"

namespace mikpoly {

// The main cut of every pattern but I: below full rows of the output (II, V, VI, IX) or right of
// full columns (III, IV, VII, VIII). The first part lies above or left of it.
struct MainCut {
  bool along_m;   // the cut divides m
  double length;  // of the first part along the divided dimension
  double m;       // of the whole output
  double n;

  double first_rows() const { return along_m ? length : m; }
  double first_cols() const { return along_m ? n : length; }
  double rest_rows() const { return along_m ? m - length : m; }
  double rest_cols() const { return along_m ? n : n - length; }
};

// The pattern whose first part has one or three regions and whose second has one or two.
Pattern pattern_of(bool along_m, int first_regions, int second_regions);

struct Draft {
  static constexpr int kMaxPieces = 5;  // no pattern has more regions
  Pattern pattern;
  int units;
  int count;
  std::array<Piece, kMaxPieces> pieces;
  std::array<double, kMaxPieces> rows;  // where each piece starts
  std::array<double, kMaxPieces> cols;

  Draft(Pattern drawn, int unit_count) : pattern(drawn), units(unit_count), count(0) {}

  std::span<const Piece> all() const { return {pieces.data(), static_cast<size_t>(count)}; }
  void add(double row, double col, const Piece& piece) {
    rows[count] = row;
    cols[count] = col;
    pieces[count++] = piece;
  }
  void add(double row, double col, double height, double width, const TimedKernel& timed) {
    add(row, col, {timed.kernel, height, width, 1, timed.block_ns});
  }
  // One region, or the two of `strips` where they hold two.
  void add_strips(double row, double col, double height, double width, bool along_m,
                  const Strips& strips);
};

// Pattern I to III and the ones with more regions. `lead` is the length of the first of three
// regions in the first part, 0 where that part is one region; `tail` are the other two.
Draft draft_cut(const MainCut& cut, int units, const TimedKernel& first, double lead,
                const Strips& tail, const Strips& second);

// The plan a draft stands for, with cost and workspace.
Plan finish(const Draft& draft, const Shape& shape, const Catalog& catalog,
            const PlanOptions& options);

}  // namespace mikpoly
