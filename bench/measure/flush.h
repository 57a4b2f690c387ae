// Empties the caches between cold runs.
#pragma once

#include <cstdint>

#include "bench/measure/operands.h"

namespace mikpoly::bench {

class CacheFlusher {
 public:
  CacheFlusher(int64_t llc_bytes, int threads);
  // Writes and reads a buffer of twice the last-level cache, a part a thread, so that every core's
  // own caches are swept too.
  void flush();

 private:
  int64_t count_;
  int threads_;
  Buffer buffer_;
};

}  // namespace mikpoly::bench
