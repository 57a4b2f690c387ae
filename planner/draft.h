// A plan under construction, in the search's terms. Inner header.
#pragma once

#include <array>

#include "planner/cost_model.h"
#include "planner/plan.h"

namespace mikpoly {

struct Draft {
  static constexpr int kMaxPieces = 5;  // no pattern has more regions
  Pattern pattern;
  int units;
  int count;
  std::array<Piece, kMaxPieces> pieces;
  std::array<double, kMaxPieces> rows;  // where each piece starts
  std::array<double, kMaxPieces> cols;

  Draft(Pattern drawn, int unit_count) : pattern(drawn), units(unit_count), count(0) {}

  void add(double row, double col, const Piece& piece) {
    rows[count] = row;
    cols[count] = col;
    pieces[count++] = piece;
  }
  std::span<const Piece> all() const { return {pieces.data(), static_cast<size_t>(count)}; }
};

// The plan a draft stands for, with cost and workspace.
Plan finish(const Draft& draft, const Shape& shape, const Catalog& catalog,
            const PlanOptions& options);

}  // namespace mikpoly
