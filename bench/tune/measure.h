// Timed runs of single block kernels, with every thread busy on its own block as in a plan.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "backends/cpu/candidates.h"

namespace mikpoly::tune {

// Operands for blocks of one kind. Each run takes the next place in buffers that exceed the second
// level cache, so that operands come from the last level, as the weights of a model do.
class BlockTimer {
 public:
  // rows, cols, depth: largest block that will be asked for.
  BlockTimer(const cpu::KernelSet& set, cpu::Kind kind, int threads, int64_t rows, int64_t cols,
             int64_t depth, int64_t l2_bytes);

  // Median nanoseconds of one block on one thread while the others run the same; spends about
  // budget_ns.
  double time(const cpu::BlockKernel& kernel, int64_t rows, int64_t cols, int64_t depth,
              double budget_ns);

 private:
  void set_strides(int64_t rows, int64_t cols, int64_t depth, cpu::Operands* op) const;

  struct Thread {
    std::shared_ptr<void> a, b, c, scratch;
  };
  const cpu::KernelSet& set_;
  cpu::Kind kind_;
  int64_t a_floats_;  // one place
  int64_t b_floats_;
  int64_t c_floats_;
  int64_t places_;
  int64_t max_depth_;
  int64_t max_cols_;
  std::vector<Thread> threads_;
};

// Bytes that `threads` threads together read a nanosecond from buffers of the given size each.
double read_bandwidth(const cpu::KernelSet& set, int threads, int64_t bytes_per_thread);

// Nanoseconds that starting and joining a parallel section adds to the work in it.
double fork_join_ns(int threads);

}  // namespace mikpoly::tune
