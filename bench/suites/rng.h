// A generator with the same sequence on every platform and standard library, so that generated
// suites and samples can be compared between machines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mikpoly::bench {

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  // In [low, high]; the bias of the remainder is below 2^-40 for ranges below 2^24.
  int64_t between(int64_t low, int64_t high) {
    const auto range = static_cast<uint64_t>(high - low) + 1;
    return low + static_cast<int64_t>(next() % range);
  }

  // In [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // In [low, high], every octave alike: first the octave, then a place in it, in integers only, so
  // that no rounding of a library's log or pow enters. low must be positive.
  int64_t log_between(int64_t low, int64_t high) {
    for (;;) {
      const int64_t octave = int64_t{1} << between(log2_floor(low), log2_floor(high));
      const int64_t value = octave + between(0, octave - 1);
      if (value >= low && value <= high) return value;
    }
  }

  template <typename T>
  void shuffle(std::vector<T>* items) {
    for (std::size_t i = items->size(); i > 1; --i) {
      std::swap((*items)[i - 1], (*items)[static_cast<std::size_t>(next() % i)]);
    }
  }

 private:
  static int64_t log2_floor(int64_t value) {
    int64_t log = 0;
    while (value > 1) {
      value >>= 1;
      ++log;
    }
    return log;
  }

  uint64_t state_;
};

}  // namespace mikpoly::bench
