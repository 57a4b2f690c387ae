// Means and percentiles of measured times and of ratios between them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mikpoly::bench {

// exp(mean(log x)). All values must be positive; 0 for no values.
double geomean(std::span<const double> values);

// The value below which a share `p` in [0, 1] lies, interpolated linearly between the two nearest
// ranks (p = 0 gives the minimum, 1 the maximum). 0 for no values.
double percentile(std::vector<double> values, double p);

inline double median(std::vector<double> values) { return percentile(std::move(values), 0.5); }

// Ratios peer time / our time: above 1 we are faster.
struct RatioSummary {
  std::size_t count = 0;
  double geomean = 0;
  double min = 0;
  double p05 = 0;
  double p50 = 0;
  double p95 = 0;
  double below_098 = 0;  // shares in [0, 1]
  double below_095 = 0;
  double above_102 = 0;
};
RatioSummary summarize(const std::vector<double>& ratios);

// Indices of the `n` smallest values, smallest first.
std::vector<std::size_t> smallest(std::span<const double> values, std::size_t n);

}  // namespace mikpoly::bench
