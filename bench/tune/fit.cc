#include "bench/tune/fit.h"

#include <algorithm>
#include <cmath>

namespace mikpoly::tune {
namespace {

struct Line {
  double base = 0;
  double slope = 0;
  double error = 0;
};

double relative_error(const Line& line, const CurveSample& s) {
  return std::abs(line.base + line.slope * s.steps - s.ns) / s.ns;
}

// Weighted least squares with weights 1 / ns^2, so that relative errors count alike.
Line fit_line(const std::vector<CurveSample>& s, size_t first, size_t last) {
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (size_t i = first; i <= last; ++i) {
    const double weight = 1.0 / (s[i].ns * s[i].ns);
    w += weight;
    x += weight * s[i].steps;
    y += weight * s[i].ns;
    xx += weight * s[i].steps * s[i].steps;
    xy += weight * s[i].steps * s[i].ns;
  }
  Line line;
  const double det = w * xx - x * x;
  if (first == last || det <= 0) {
    line.slope = s[first].ns / s[first].steps;
  } else {
    line.slope = std::max(0.0, (w * xy - x * y) / det);
    line.base = (y - line.slope * x) / w;
  }
  for (size_t i = first; i <= last; ++i)
    line.error = std::max(line.error, relative_error(line, s[i]));
  return line;
}

}  // namespace

CurveFit fit_curve(const std::vector<CurveSample>& samples, double tolerance) {
  const size_t n = samples.size();
  // best[p][i]: least largest error of samples [0, i) in p pieces; from[p][i]: first of the last
  // piece.
  std::vector<std::vector<double>> best(CostCurve::kMaxPieces + 1,
                                        std::vector<double>(n + 1, 1e300));
  std::vector<std::vector<size_t>> from(CostCurve::kMaxPieces + 1, std::vector<size_t>(n + 1, 0));
  best[0][0] = 0;
  int pieces = 0;
  for (int p = 1; p <= CostCurve::kMaxPieces; ++p) {
    for (size_t i = 1; i <= n; ++i) {
      for (size_t j = 0; j < i; ++j) {
        const double error = std::max(best[p - 1][j], fit_line(samples, j, i - 1).error);
        if (error < best[p][i]) {
          best[p][i] = error;
          from[p][i] = j;
        }
      }
    }
    if (pieces == 0 || best[p][n] < best[pieces][n]) pieces = p;
    if (best[p][n] <= tolerance) break;
  }
  CurveFit fit;
  fit.error = best[pieces][n];
  fit.curve.count = pieces;
  size_t end = n;
  for (int p = pieces; p >= 1; --p) {
    const size_t begin = from[p][end];
    const Line line = fit_line(samples, begin, end - 1);
    fit.curve.pieces[static_cast<size_t>(p - 1)] = {begin == 0 ? 0.0 : samples[begin].steps,
                                                    line.base, line.slope};
    end = begin;
  }
  return fit;
}

}  // namespace mikpoly::tune
