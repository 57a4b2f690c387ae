#include "bench/report/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mikpoly::bench {
namespace {

template <typename Predicate>
double share(const std::vector<double>& values, Predicate predicate) {
  if (values.empty()) return 0;
  const auto hits = std::count_if(values.begin(), values.end(), predicate);
  return static_cast<double>(hits) / static_cast<double>(values.size());
}

}  // namespace

double geomean(std::span<const double> values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

double percentile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double rank = std::clamp(p, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(rank);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  const double weight = rank - static_cast<double>(low);
  return values[low] + (values[high] - values[low]) * weight;
}

RatioSummary summarize(const std::vector<double>& ratios) {
  RatioSummary summary;
  summary.count = ratios.size();
  summary.geomean = geomean(ratios);
  summary.min = percentile(ratios, 0);
  summary.p05 = percentile(ratios, 0.05);
  summary.p50 = percentile(ratios, 0.5);
  summary.p95 = percentile(ratios, 0.95);
  summary.below_098 = share(ratios, [](double x) { return x < 0.98; });
  summary.below_095 = share(ratios, [](double x) { return x < 0.95; });
  summary.above_102 = share(ratios, [](double x) { return x > 1.02; });
  return summary;
}

std::vector<std::size_t> smallest(std::span<const double> values, std::size_t n) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return values[x] < values[y]; });
  order.resize(std::min(n, order.size()));
  return order;
}

}  // namespace mikpoly::bench
