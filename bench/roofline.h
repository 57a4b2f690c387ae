// The two limits of this machine that no GEMM can beat, measured in the same run as the GEMMs.
#pragma once

#include <vector>

#include "bench/measure/operands.h"

namespace mikpoly::bench {

struct RooflineLimits {
  double fma_gflops = 0;       // f32 FMA peak of all threads
  double memory_gb_per_s = 0;  // read bandwidth from memory, all threads
  double cache_gb_per_s = 0;   // read bandwidth from the last-level cache, all threads
};

class Roofline {
 public:
  Roofline(int threads, int64_t l2_bytes, int64_t llc_bytes);

  // One sample of each limit, about 50 ms; to be taken before, between and after the cases.
  void sample();
  const std::vector<RooflineLimits>& samples() const { return samples_; }

  // The largest sample of each: clocks vary, a limit is what was reached at best.
  RooflineLimits limits() const;

 private:
  double fma_gflops() const;
  double read_gb_per_s(int64_t count) const;

  int threads_;
  int64_t memory_count_;  // floats read for each level
  int64_t cache_count_;
  Buffer buffer_;
  std::vector<RooflineLimits> samples_;
};

// Least microseconds for so much work under a bandwidth.
double roofline_micros(double flop, double bytes, double gflops, double gb_per_s);

}  // namespace mikpoly::bench
