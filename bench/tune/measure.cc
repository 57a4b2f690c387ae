#include "bench/tune/measure.h"

#include <omp.h>

#include <algorithm>
#include <chrono>

#include "backends/cpu/scratch.h"

namespace mikpoly::tune {
namespace {

using Clock = std::chrono::steady_clock;
using cpu::ALayout;
using cpu::BLayout;

constexpr int64_t kScratchFloats = int64_t{1} << 20;

double ns_between(Clock::time_point a, Clock::time_point b) {
  return std::chrono::duration<double, std::nano>(b - a).count();
}

double median(std::vector<double>& v) {
  const auto mid = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), mid, v.end());
  return *mid;
}

// Values whose products neither overflow nor turn denormal, and are not all alike.
std::shared_ptr<void> filled(int64_t floats) {
  auto data = cpu::allocate_aligned(static_cast<std::size_t>(floats) * sizeof(float));
  auto* p = static_cast<float*>(data.get());
  for (int64_t i = 0; p != nullptr && i < floats; ++i) {
    p[i] = static_cast<float>(i * 2654435761 % 1024) / 1024.0F - 0.5F;
  }
  return data;
}

}  // namespace

BlockTimer::BlockTimer(const cpu::KernelSet& set, cpu::Kind kind, int threads, int64_t rows,
                       int64_t cols, int64_t depth, int64_t l2_bytes)
    : set_(set),
      kind_(kind),
      a_floats_(rows * (depth + 16) * (kind.a == ALayout::kStrided ? 2 : 1)),
      b_floats_((cols + 16) * (depth + 16) * (kind.b == BLayout::kStrided ? 2 : 1)),
      c_floats_(rows * cols),
      places_(std::clamp<int64_t>(2 * l2_bytes / (4 * (a_floats_ + b_floats_)) + 1, 2, 64)),
      max_depth_(depth),
      max_cols_(cols),
      threads_(static_cast<size_t>(threads)) {
#pragma omp parallel num_threads(threads)
  {
    Thread& t = threads_[static_cast<size_t>(omp_get_thread_num())];
    t.a = filled(a_floats_ * places_);
    t.b = filled(b_floats_ * places_);
    t.c = filled(c_floats_);
    t.scratch = cpu::allocate_aligned(kScratchFloats * sizeof(float));
  }
}

// Leading dimensions are a cache line off a power of two.
void BlockTimer::set_strides(int64_t rows, int64_t cols, int64_t depth, cpu::Operands* op) const {
  switch (kind_.a) {
    case ALayout::kAlongK:
      op->a_row = max_depth_ + 16;
      op->a_k = 1;
      break;
    case ALayout::kAlongM:
      op->a_row = 1;
      op->a_k = rows;
      break;
    default:
      op->a_row = 2;
      op->a_k = 2 * rows;
  }
  switch (kind_.b) {
    case BLayout::kRows:
      op->b_k = max_cols_ + 16;
      op->b_col = 1;
      break;
    case BLayout::kColumns:
      op->b_k = 1;
      op->b_col = max_depth_ + 16;
      break;
    default:
      op->b_k = 2 * cols;
      op->b_col = 2;
  }
  op->packed_depth = depth;
}

double BlockTimer::time(const cpu::BlockKernel& kernel, int64_t rows, int64_t cols, int64_t depth,
                        double budget_ns) {
  cpu::Operands op;
  set_strides(rows, cols, depth, &op);
  const cpu::Block block{0, 0, rows, cols, 0, depth};
  std::vector<double> medians(threads_.size());
#pragma omp parallel num_threads(static_cast <int>(threads_.size()))
  {
    const auto id = static_cast<size_t>(omp_get_thread_num());
    const Thread& t = threads_[id];
    cpu::Operands mine = op;
    const cpu::Output out{static_cast<float*>(t.c.get()), cols, 1.0F, 0.0F};
    std::vector<double> times;
    double spent = 0;
    for (int64_t i = 0; times.size() < 5 || (spent < budget_ns && times.size() < 400); ++i) {
      mine.a = static_cast<const float*>(t.a.get()) + i % places_ * a_floats_;
      mine.b = static_cast<const float*>(t.b.get()) + i % places_ * b_floats_;
      const auto begin = Clock::now();
      cpu::run_block(kernel, set_, mine, block, out, static_cast<float*>(t.scratch.get()));
      const double ns = ns_between(begin, Clock::now());
      spent += ns;
      if (i > 0) times.push_back(ns);
    }
    medians[id] = median(times);
  }
  return median(medians);
}

double BlockTimer::read_bandwidth(int threads, int64_t bytes_per_thread) {
  std::vector<double> rates(static_cast<size_t>(threads));
#pragma omp parallel num_threads(threads)
  {
    const auto data = filled(bytes_per_thread / 4);
    const auto* p = static_cast<const uint64_t*>(data.get());
    const int64_t words = bytes_per_thread / 8;
    std::vector<double> times;
    uint64_t sink = 0;
#pragma omp barrier
    const int64_t repeats = std::max<int64_t>(5, (int64_t{256} << 20) / bytes_per_thread);
    for (int64_t r = 0; r < repeats; ++r) {
      uint64_t sums[16] = {};
      const auto begin = Clock::now();
      for (int64_t i = 0; i + 16 <= words; i += 16) {
        for (int j = 0; j < 16; ++j) sums[j] += p[i + j];
      }
      times.push_back(ns_between(begin, Clock::now()));
      for (const uint64_t s : sums) sink += s;
    }
    const volatile uint64_t keep = sink;
    (void)keep;
    rates[static_cast<size_t>(omp_get_thread_num())] =
        static_cast<double>(bytes_per_thread) / median(times);
  }
  double sum = 0;
  for (const double r : rates) sum += r;
  return sum;
}

double BlockTimer::fork_join_ns(int threads) {
  std::vector<double> times;
  for (int i = 0; i < 2000; ++i) {
    const auto begin = Clock::now();
#pragma omp parallel num_threads(threads)
    {
      const volatile int id = omp_get_thread_num();
      (void)id;
    }
    times.push_back(ns_between(begin, Clock::now()));
  }
  return median(times);
}

}  // namespace mikpoly::tune
