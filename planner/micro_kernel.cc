#include "planner/micro_kernel.h"

#include <algorithm>

namespace mikpoly {

double CostCurve::at(double steps) const {
  if (count <= 0) return 0;
  int piece = 0;
  while (piece + 1 < count && pieces[piece + 1].from_step <= steps) ++piece;
  return std::max(0.0, pieces[piece].base_ns + pieces[piece].ns_per_step * steps);
}

}  // namespace mikpoly
