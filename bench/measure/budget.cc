#include "bench/measure/budget.h"

#include <algorithm>
#include <numeric>

namespace mikpoly::bench {
namespace {

// Estimates of the least are rough; the rest is room for error.
constexpr double kPlannedPart = 0.9;

}  // namespace

Budget::Budget(double total_s, std::vector<double> least_s)
    : total_s_(total_s), least_s_(std::move(least_s)), cheapest_first_(least_s_.size()) {
  std::iota(cheapest_first_.begin(), cheapest_first_.end(), std::size_t{0});
  std::stable_sort(cheapest_first_.begin(), cheapest_first_.end(),
                   [&](std::size_t x, std::size_t y) { return least_s_[x] < least_s_[y]; });
}

double Budget::share(std::size_t index, double elapsed_s) const {
  const double left = total_s_ - elapsed_s;
  double sum = 0;
  double cases = 0;
  bool kept = false;
  for (const std::size_t i : cheapest_first_) {
    if (i < index) continue;
    if (sum + least_s_[i] > kPlannedPart * left) break;
    sum += least_s_[i];
    cases += 1;
    kept = kept || i == index;
  }
  return kept ? least_s_[index] + (left - sum) / cases : 0;
}

}  // namespace mikpoly::bench
