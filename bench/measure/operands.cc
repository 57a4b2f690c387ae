#include "bench/measure/operands.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "bench/suites/rng.h"

namespace mikpoly::bench {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr int64_t kCheckAll = 64 * 64;  // elements of C up to which each is checked
constexpr int64_t kCheckedElements = 200;
constexpr int64_t kMaxCopies = 64;

// A value in [-1, 1) with 24 bits from the element's index.
float value_at(uint64_t seed, int64_t index) {
  Rng rng(seed + static_cast<uint64_t>(index));
  return static_cast<float>(static_cast<int32_t>(rng.next() >> 40) - (1 << 23)) * 0x1.0p-23F;
}

void fill(float* data, int64_t count, uint64_t seed, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t i = 0; i < count; ++i) data[i] = value_at(seed, i);
}

void copy(float* to, const float* from, int64_t count) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float));
}

double largest(const float* data, int64_t count) {
  float most = 0;
#pragma omp parallel for reduction(max : most)
  for (int64_t i = 0; i < count; ++i) most = std::max(most, std::fabs(data[i]));
  return most;
}

double dot(const Case& c, const Operands& operands, int64_t row, int64_t col) {
  const int64_t a_first = a_transposed(c) ? row : row * c.k;
  const int64_t a_step = a_transposed(c) ? c.m : 1;
  const int64_t b_first = b_transposed(c) ? col * c.k : col;
  const int64_t b_step = b_transposed(c) ? 1 : c.n;
  double sum = 0;
  for (int64_t i = 0; i < c.k; ++i) {
    sum += static_cast<double>(operands.a[a_first + i * a_step]) *
           static_cast<double>(operands.b[b_first + i * b_step]);
  }
  return sum;
}

std::vector<int64_t> checked_indices(const Case& c, uint64_t seed) {
  std::vector<int64_t> indices;
  if (c.m * c.n <= kCheckAll && c.k <= 64) {
    indices.resize(static_cast<std::size_t>(c.m * c.n));
    std::iota(indices.begin(), indices.end(), int64_t{0});
    return indices;
  }
  indices = {0, c.n - 1, (c.m - 1) * c.n, c.m * c.n - 1};
  Rng rng(seed);
  for (int64_t i = 0; i < kCheckedElements; ++i) {
    indices.push_back(rng.between(0, c.m - 1) * c.n + rng.between(0, c.n - 1));
  }
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

}  // namespace

Buffer make_buffer(int64_t count) {
  const std::size_t bytes =
      (static_cast<std::size_t>(count) * sizeof(float) + kAlignment - 1) / kAlignment * kAlignment;
  return Buffer(static_cast<float*>(std::aligned_alloc(kAlignment, std::max(bytes, kAlignment))));
}

int rotation_copies(const Case& problem, int64_t l2_bytes, int64_t llc_bytes) {
  const double bytes = problem.bytes();
  if (bytes > static_cast<double>(llc_bytes)) return 1;
  const auto wanted = static_cast<int64_t>(std::ceil(2.0 * static_cast<double>(l2_bytes) / bytes));
  const auto held = static_cast<int64_t>(static_cast<double>(llc_bytes) / bytes);
  return static_cast<int>(std::clamp(std::min(wanted + 1, held), int64_t{1}, kMaxCopies));
}

bool OperandSet::allocate(const Case& problem, int copies, int threads, uint64_t seed) {
  const int64_t a_count = problem.m * problem.k;
  const int64_t b_count = problem.k * problem.n;
  const int64_t c_count = problem.m * problem.n;
  for (int i = 0; i < copies; ++i) {
    Buffer a = make_buffer(a_count);
    Buffer b = make_buffer(b_count);
    Buffer c = make_buffer(c_count);
    if (!a || !b || !c) return false;
    if (i == 0) {
      fill(a.get(), a_count, seed, threads);
      fill(b.get(), b_count, ~seed, threads);
    } else {
      copy(a.get(), copies_[0].a, a_count);
      copy(b.get(), copies_[0].b, b_count);
    }
    std::memset(c.get(), 0, static_cast<std::size_t>(c_count) * sizeof(float));
    copies_.push_back({a.get(), b.get(), c.get()});
    for (Buffer* buffer : {&a, &b, &c}) buffers_.push_back(std::move(*buffer));
  }
  return true;
}

Reference::Reference(const Case& problem, const Operands& operands, uint64_t seed) {
  double largest_value = 0;
  for (const int64_t index : checked_indices(problem, seed)) {
    const double value = dot(problem, operands, index / problem.n, index % problem.n);
    largest_value = std::max(largest_value, std::fabs(value));
    elements_.push_back({index, value});
  }
  constexpr double kEps = std::numeric_limits<float>::epsilon();
  tolerance_ = 2 * kEps * static_cast<double>(problem.k + 1) *
                   largest(operands.a, problem.m * problem.k) *
                   largest(operands.b, problem.k * problem.n) +
               kEps * largest_value;
}

void Reference::spoil(float* c) const {
  for (const Element& element : elements_) {
    c[element.index] = std::numeric_limits<float>::quiet_NaN();
  }
}

double Reference::max_error(const float* c) const {
  double most = 0;
  for (const Element& element : elements_) {
    const double error = std::fabs(static_cast<double>(c[element.index]) - element.value);
    if (!(error <= std::numeric_limits<double>::max())) {
      return std::numeric_limits<double>::infinity();
    }
    most = std::max(most, error);
  }
  return most;
}

}  // namespace mikpoly::bench
