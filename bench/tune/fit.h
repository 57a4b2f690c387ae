// From timed samples to the numbers of a micro-kernel's cost.
#pragma once

#include <vector>

#include "planner/micro_kernel.h"

namespace mikpoly::tune {

struct CurveSample {
  double steps;
  double ns;
};

struct CurveFit {
  CostCurve curve;
  double error = 0;  // largest relative error on the samples
};

// The fewest pieces, at most CostCurve::kMaxPieces, whose relative error on the samples is at most
// tolerance; the pieces of least error where even the most do not reach it. Samples are ordered by
// steps, at least one. Each piece spans consecutive samples.
CurveFit fit_curve(const std::vector<CurveSample>& samples, double tolerance = 0.02);

}  // namespace mikpoly::tune
