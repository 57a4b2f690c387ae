// How far a result may lie from the reference: the one place that says so.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace mikpoly::testing {

// Sizes of the largest elements, and the scalars, of one GEMM.
struct Magnitudes {
  int64_t k = 0;
  double a = 0;
  double b = 0;
  double c = 0;  // of C before the call; 0 where beta is
  double alpha = 1;
  double beta = 0;
};

// For random inputs, sums in f32 of any order: each of k products and k additions rounds once, with
// a factor of two to spare; then scaling and the output round.
inline double f32_tolerance(const Magnitudes& x, double want) {
  constexpr double kEps = std::numeric_limits<float>::epsilon() / 2;
  const double products = std::abs(x.alpha) * x.a * x.b;
  const double sum = 2 * kEps * static_cast<double>(x.k + 1) * products;
  const double rest = 4 * kEps * (std::abs(want) + std::abs(x.beta) * x.c);
  return sum + rest + std::numeric_limits<float>::min();
}

// Whether a result is acceptable. exact: inputs were small integers, so that nothing rounds. NaN
// and infinities must be met as they are.
inline bool close_enough(float got, double want, double tolerance, bool exact) {
  if (std::isnan(want)) return std::isnan(got);
  const auto rounded = static_cast<float>(want);
  if (std::isinf(rounded)) return got == rounded;
  if (exact) return got == rounded;
  return std::abs(double{got} - want) <= tolerance;
}

}  // namespace mikpoly::testing
