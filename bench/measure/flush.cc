#include "bench/measure/flush.h"

namespace mikpoly::bench {

CacheFlusher::CacheFlusher(int64_t llc_bytes, int threads)
    : count_(2 * llc_bytes / static_cast<int64_t>(sizeof(float))),
      threads_(threads),
      buffer_(make_buffer(count_)) {}

void CacheFlusher::flush() {
  float* data = buffer_.get();
  if (data == nullptr) return;
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int64_t i = 0; i < count_; ++i) data[i] = static_cast<float>(i);
  float sum = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : sum)
  for (int64_t i = 0; i < count_; i += 16) sum += data[i];
  volatile float sink = sum;  // keeps the reads
  (void)sink;
}

}  // namespace mikpoly::bench
