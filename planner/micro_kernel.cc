#include "planner/micro_kernel.h"

#include <algorithm>

namespace mikpoly {

double CostCurve::at(double steps) const {
  if (count <= 0) return 0;
  int piece = 0;
  while (piece + 1 < count && pieces[piece + 1].from_step <= steps) ++piece;
  return std::max(0.0, pieces[piece].base_ns + pieces[piece].ns_per_step * steps);
}

CostCurve share_curve(std::span<const SharePoint> points) {
  CostCurve curve;
  if (points.size() < 2 || points.size() > CostCurve::kMaxPieces + 1) return curve;
  SharePoint next{points.back().extent, 1.0};
  for (size_t i = points.size() - 1; i-- > 0;) {
    const double extent = points[i].extent;
    const double share =
        std::min(std::max(points[i].share, next.share * extent / next.extent), next.share);
    const double slope = (next.share - share) / (next.extent - extent);
    curve.pieces[i] = {extent, share - slope * extent, slope};
    next = {extent, share};
  }
  curve.count = static_cast<int>(points.size()) - 1;
  return curve;
}

}  // namespace mikpoly
