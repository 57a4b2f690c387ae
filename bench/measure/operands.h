// The data of a case, and whether a result is right.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "bench/peers/peer.h"
#include "bench/suites/case.h"

namespace mikpoly::bench {

struct FreeDeleter {
  void operator()(float* data) const { std::free(data); }
};
using Buffer = std::unique_ptr<float, FreeDeleter>;

// 64-byte aligned; null where memory is short.
Buffer make_buffer(int64_t count);

// How many copies of the operands a warm measurement rotates through: enough that the ones between
// two uses of a copy exceed twice the L2 caches, so that operands, weights included, come from the
// last-level cache as between the layers of a network; 64 at most, no more than the last-level
// cache holds, and one where a copy alone exceeds that cache.
int rotation_copies(const Case& problem, int64_t l2_bytes, int64_t llc_bytes);

// Copies of A and B with the same values in [-1, 1), and a C each.
class OperandSet {
 public:
  // False where memory is short.
  bool allocate(const Case& problem, int copies, int threads, uint64_t seed);
  const std::vector<Operands>& copies() const { return copies_; }

 private:
  std::vector<Buffer> buffers_;
  std::vector<Operands> copies_;
};

// Elements of C computed in double: all of a small result, else the corners and random ones.
class Reference {
 public:
  Reference(const Case& problem, const Operands& operands, uint64_t seed);

  // 2 eps (k + 1) max|a| max|b| and the rounding of an f32 result.
  double tolerance() const { return tolerance_; }
  // Overwrites the checked elements with NaN, so that a contestant must write them.
  void spoil(float* c) const;
  // Largest distance from the reference; infinite where an element is NaN.
  double max_error(const float* c) const;

 private:
  struct Element {
    int64_t index;
    double value;
  };
  std::vector<Element> elements_;
  double tolerance_ = 0;
};

}  // namespace mikpoly::bench
