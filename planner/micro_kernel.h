// What the planner knows of a micro-kernel: its size, its grain and what a task costs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace mikpoly {

// Index of a micro-kernel in its catalog.
using KernelId = int32_t;

// Time of one pipelined task on one unit as a piecewise linear function of its K steps: g_predict
// of the paper. Pieces are ordered by from_step; the first also serves every smaller argument and
// the last every larger one. Steps may be fractional (see MicroKernel::tile_k).
struct CostCurve {
  static constexpr int kMaxPieces = 6;
  struct Piece {
    double from_step = 0;    // first step count the piece is meant for
    double base_ns = 0;      // time extrapolated to zero steps
    double ns_per_step = 0;  // slope
  };
  std::array<Piece, kMaxPieces> pieces{};
  int count = 0;

  // Predicted nanoseconds; never negative, 0 for an empty curve.
  double at(double steps) const;
};

// The straight lines through measured shares of a full block's time at rising extents, the last of
// which is the block. A share is raised where a larger block would have been less efficient, so
// that splitting a block never pays by noise alone. At most CostCurve::kMaxPieces + 1 points.
struct SharePoint {
  double extent;
  double share;
};
CostCurve share_curve(std::span<const SharePoint> points);

// A fixed-size program for one unit. A task is a block of at most um x un outputs. A region is
// covered by as few blocks as can be, of nearly equal size in whole tiles; a block costs as its
// extent rounded up to tiles. So a kernel that pads its block has tile_m == um, and one that
// computes exact rows has tile_m == 1. Tiles divide the block.
struct MicroKernel {
  std::string name;  // unique in the catalog; no white space, ';' or ','
  int um = 0;        // rows of a full block
  int un = 0;        // columns of a full block
  int uk = 0;        // depth of one K step
  int tile_m = 1;    // rows of a partial block are rounded up to this
  int tile_n = 1;    // columns likewise
  int tile_k = 1;    // the K range is rounded up to this before it is divided by uk
  // Fixed cost of a block's rows (columns), in rows (columns): a block of r rounded rows takes
  // (r + edge_m) / (um + edge_m) of the full block's time. Covers what does not shrink with the
  // block, such as loading or packing the other operand.
  double edge_m = 0;
  double edge_n = 0;
  // Where they are not empty, the share of a full block's time that a block of so many rounded rows
  // (columns) takes, instead of the edge terms. Continuous, 1 at the full block, and a share per
  // row that never rises with the rows: see share_curve().
  CostCurve row_share;
  CostCurve col_share;
  int max_k_slices = 1;     // the K range may be cut into up to this many slices
  double slice_ns = 0;      // added time per slice of a full block: partial sums stored and reduced
  int64_t slice_bytes = 0;  // workspace of one slice's partial block
  int resident_blocks = 1;  // blocks that one unit runs at the same time
  CostCurve task_time;      // of a full block
};

}  // namespace mikpoly
