// Floats that end at a page no one may touch: a read or write behind them faults at once.
#pragma once

#include <cstdint>

#include "tests/support/guard_buffer.h"

namespace mikpoly::testing {

class GuardedFloats {
 public:
  explicit GuardedFloats(int64_t count)
      : buffer_(static_cast<std::size_t>(count) * sizeof(float), GuardBuffer::Guard::kBehind) {}

  float* data() { return static_cast<float*>(buffer_.data()); }
  float& operator[](int64_t i) { return data()[i]; }

 private:
  GuardBuffer buffer_;
};

}  // namespace mikpoly::testing
