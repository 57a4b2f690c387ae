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

// Leading dimensions are a power of two where the kind is aliased and a cache line more elsewhere.
void BlockTimer::set_strides(int64_t rows, int64_t cols, int64_t depth, cpu::Operands* op) const {
  switch (kind_.a) {
    case ALayout::kAlongK:
    case ALayout::kAlongKAliased:
      op->a_row = max_depth_ + (kind_.a == ALayout::kAlongK ? 16 : 0);
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
    case BLayout::kRowsAliased:
      op->b_k = max_cols_ + (kind_.b == BLayout::kRows ? 16 : 0);
      op->b_col = 1;
      break;
    case BLayout::kStrided:
      op->b_k = 2 * cols;
      op->b_col = 2;
      break;
    default:
      op->b_k = 1;
      op->b_col = max_depth_ + 16;
  }
  op->packed_depth = depth;
}

double BlockTimer::time(const cpu::BlockKernel& kernel, int64_t rows, int64_t cols, int64_t depth,
                        double budget_ns) {
  cpu::Operands op;
  set_strides(rows, cols, depth, &op);
  op.a_rows = rows;
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
    for (int64_t i = 0; times.size() < 3 || (spent < budget_ns && times.size() < 400); ++i) {
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

// The dot tile reads four long rows against one short column: the fastest reader there is here.
double read_bandwidth(const cpu::KernelSet& set, int threads, int64_t bytes_per_thread) {
  constexpr int64_t kDepth = 4096;
  const int rows = set.dot_rows;
  const int64_t tiles = std::max<int64_t>(
      1, bytes_per_thread / (rows * kDepth * static_cast<int64_t>(sizeof(float))));
  const int64_t repeats = std::max<int64_t>(7, (int64_t{512} << 20) / bytes_per_thread);
  std::vector<double> rates(static_cast<size_t>(threads));
#pragma omp parallel num_threads(threads)
  {
    const auto a = filled(tiles * rows * kDepth);
    const auto b = filled(kDepth);
    float c[cpu::kMaxDotRows];
    cpu::DotArgs t{nullptr, static_cast<const float*>(b.get()), c, kDepth, kDepth, 1, kDepth, 1, 0};
    std::vector<double> times;
#pragma omp barrier
    for (int64_t r = 0; r < repeats; ++r) {
      const auto begin = Clock::now();
      for (int64_t i = 0; i < tiles; ++i) {
        t.a = static_cast<const float*>(a.get()) + i * rows * kDepth;
        set.dot[rows][1](t);
      }
      times.push_back(ns_between(begin, Clock::now()));
    }
    rates[static_cast<size_t>(omp_get_thread_num())] =
        static_cast<double>(tiles * rows * kDepth) * sizeof(float) / median(times);
  }
  double sum = 0;
  for (const double r : rates) sum += r;
  return sum;
}

// Work before and inside the section keeps its threads as far asleep as they are in a program.
double fork_join_ns(int threads) {
  constexpr double kWorkNs = 3000;
  const auto spin = [](double ns) {
    const auto begin = Clock::now();
    while (ns_between(begin, Clock::now()) < ns) {
    }
  };
  std::vector<double> times;
  for (int i = 0; i < 4000; ++i) {
    spin(kWorkNs);
    const auto begin = Clock::now();
#pragma omp parallel num_threads(threads)
    spin(kWorkNs);
    times.push_back(ns_between(begin, Clock::now()) - kWorkNs);
  }
  return std::max(0.0, median(times));
}

}  // namespace mikpoly::tune
