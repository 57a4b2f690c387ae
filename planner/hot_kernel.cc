#include "planner/hot_kernel.h"

#include <limits>

namespace mikpoly {
namespace {

// A piece base + slope * x divided by x is monotone in x, so the infimum lies at a piece's end.
double least_ns_per_step(const CostCurve& curve) {
  if (curve.count <= 0 || curve.pieces[0].base_ns < 0) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < curve.count; ++i) {
    const CostCurve::Piece& piece = curve.pieces[i];
    const auto rate_at = [&](double x) { return piece.base_ns / x + piece.ns_per_step; };
    if (i > 0 && piece.from_step > 0) least = std::min(least, rate_at(piece.from_step));
    const double end = i + 1 < curve.count ? curve.pieces[i + 1].from_step : 0;
    least = std::min(least, end > 0 ? rate_at(end) : piece.ns_per_step);
  }
  return std::max(least, 0.0);
}

}  // namespace

HotKernel::HotKernel(const MicroKernel& kernel, KernelId kernel_id)
    : m(kernel.um, kernel.tile_m, kernel.edge_m, kernel.row_share),
      n(kernel.un, kernel.tile_n, kernel.edge_n, kernel.col_share),
      uk(std::max(kernel.uk, 1)),
      inv_uk(1 / uk),
      tile_k(std::max(kernel.tile_k, 1)),
      inv_tile_k(1 / tile_k),
      slice_ns(std::max(kernel.slice_ns, 0.0)),
      max_k_slices(std::max(kernel.max_k_slices, 1)),
      resident(std::max(kernel.resident_blocks, 1)),
      inv_resident(1 / resident),
      least_ns_per_step(mikpoly::least_ns_per_step(kernel.task_time)),
      curve(kernel.task_time),
      id(kernel_id) {
  const double slope = curve.count > 0 ? curve.pieces[curve.count - 1].ns_per_step : 0;
  rate = slope * inv_uk * m.inv_block * n.inv_block * inv_resident;
}

}  // namespace mikpoly
