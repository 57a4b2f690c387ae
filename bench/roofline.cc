#include "bench/roofline.h"

#include <omp.h>

#include <algorithm>

#include "bench/measure/clock.h"
#include "bench/measure/machine.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace mikpoly::bench {
namespace {

constexpr int kChains = 12;  // independent FMA chains: covers 2 ports x 5 cycles of latency
constexpr int64_t kFmaRounds = 400000;
constexpr int kRepeats = 3;

using FmaLoop = float (*)(int64_t rounds);
using ReadLoop = float (*)(const float* data, int64_t count);

struct Loops {
  FmaLoop fma;
  ReadLoop read;
  int lanes;
};

float sum_of(const float* values, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

float portable_fma(int64_t rounds) {
  float sums[kChains] = {};
  for (int64_t i = 0; i < rounds; ++i) {
    for (float& sum : sums) sum = sum * 0.5F + 1.0F;
  }
  return sum_of(sums, kChains);
}

float portable_read(const float* data, int64_t count) {
  float sums[16] = {};
  for (int64_t i = 0; i + 16 <= count; i += 16) {
    for (int j = 0; j < 16; ++j) sums[j] += data[i + j];
  }
  return sum_of(sums, 16);
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) float avx512_fma(int64_t rounds) {
  const __m512 factor = _mm512_set1_ps(0.5F);
  const __m512 addend = _mm512_set1_ps(1.0F);
  __m512 sums[kChains];
  for (__m512& sum : sums) sum = addend;
  for (int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 16
    for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, factor, addend);
  }
  __m512 total = _mm512_setzero_ps();
  for (const __m512& sum : sums) total = _mm512_add_ps(total, sum);
  float lanes[16];
  _mm512_storeu_ps(lanes, total);
  return sum_of(lanes, 16);
}

__attribute__((target("avx512f"))) float avx512_read(const float* data, int64_t count) {
  __m512 sums[8];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (int64_t i = 0; i + 128 <= count; i += 128) {
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) {
      sums[j] = _mm512_add_ps(sums[j], _mm512_load_ps(data + i + 16 * j));
    }
  }
  __m512 total = _mm512_setzero_ps();
  for (const __m512& sum : sums) total = _mm512_add_ps(total, sum);
  float lanes[16];
  _mm512_storeu_ps(lanes, total);
  return sum_of(lanes, 16);
}

__attribute__((target("avx2,fma"))) float avx2_fma(int64_t rounds) {
  const __m256 factor = _mm256_set1_ps(0.5F);
  const __m256 addend = _mm256_set1_ps(1.0F);
  __m256 sums[kChains];
  for (__m256& sum : sums) sum = addend;
  for (int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 16
    for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, factor, addend);
  }
  __m256 total = _mm256_setzero_ps();
  for (const __m256& sum : sums) total = _mm256_add_ps(total, sum);
  float lanes[8];
  _mm256_storeu_ps(lanes, total);
  return sum_of(lanes, 8);
}

__attribute__((target("avx2,fma"))) float avx2_read(const float* data, int64_t count) {
  __m256 sums[8];
  for (__m256& sum : sums) sum = _mm256_setzero_ps();
  for (int64_t i = 0; i + 64 <= count; i += 64) {
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) {
      sums[j] = _mm256_add_ps(sums[j], _mm256_load_ps(data + i + 8 * j));
    }
  }
  __m256 total = _mm256_setzero_ps();
  for (const __m256& sum : sums) total = _mm256_add_ps(total, sum);
  float lanes[8];
  _mm256_storeu_ps(lanes, total);
  return sum_of(lanes, 8);
}
#endif

Loops widest_loops() {
#if defined(__x86_64__)
  if (this_machine().avx512) return {avx512_fma, avx512_read, 16};
  if (this_machine().avx2) return {avx2_fma, avx2_read, 8};
#endif
  return {portable_fma, portable_read, 1};
}

// Seconds of `body(thread)` on all threads, from the moment all have started until the last is
// done.
template <typename Body>
double time_parallel(int threads, Body&& body) {
  double seconds = 0;
  float sum = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp barrier
    const auto start = Clock::now();
    const float value = body(omp_get_thread_num());
    const double mine = seconds_since(start);
#pragma omp critical
    {
      seconds = std::max(seconds, mine);
      sum += value;
    }
  }
  volatile float sink = sum;  // keeps the loops
  (void)sink;
  return seconds;
}

}  // namespace

Roofline::Roofline(int threads, int64_t l2_bytes, int64_t llc_bytes) : threads_(threads) {
  constexpr auto kFloat = static_cast<int64_t>(sizeof(float));
  memory_count_ = 4 * llc_bytes / kFloat;
  // Half of the cache, unless the inner caches hold most of that.
  cache_count_ = llc_bytes / 2 > 2 * l2_bytes ? llc_bytes / 2 / kFloat : 0;
  buffer_ = make_buffer(memory_count_);
  if (!buffer_) return;
  float* data = buffer_.get();
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int64_t i = 0; i < memory_count_; ++i) data[i] = 1.0F;
}

double Roofline::fma_gflops() const {
  const Loops loops = widest_loops();
  double best = 1e300;
  for (int i = 0; i < kRepeats; ++i) {
    best = std::min(best, time_parallel(threads_, [&](int) { return loops.fma(kFmaRounds); }));
  }
  return 2.0 * loops.lanes * kChains * kFmaRounds * threads_ / best * 1e-9;
}

double Roofline::read_gb_per_s(int64_t count) const {
  if (!buffer_ || count == 0) return 0;
  const Loops loops = widest_loops();
  const int64_t part = count / threads_ / 128 * 128;
  double best = 1e300;
  for (int i = 0; i < kRepeats; ++i) {
    best = std::min(best, time_parallel(threads_, [&](int thread) {
                      return loops.read(buffer_.get() + thread * part, part);
                    }));
  }
  return static_cast<double>(part * threads_ * static_cast<int64_t>(sizeof(float))) / best * 1e-9;
}

void Roofline::sample() {
  RooflineLimits limits;
  limits.fma_gflops = fma_gflops();
  limits.memory_gb_per_s = read_gb_per_s(memory_count_);
  limits.cache_gb_per_s = std::max(read_gb_per_s(cache_count_), limits.memory_gb_per_s);
  samples_.push_back(limits);
}

RooflineLimits Roofline::limits() const {
  RooflineLimits most;
  for (const RooflineLimits& sample : samples_) {
    most.fma_gflops = std::max(most.fma_gflops, sample.fma_gflops);
    most.memory_gb_per_s = std::max(most.memory_gb_per_s, sample.memory_gb_per_s);
    most.cache_gb_per_s = std::max(most.cache_gb_per_s, sample.cache_gb_per_s);
  }
  return most;
}

double roofline_micros(double flop, double bytes, double gflops, double gb_per_s) {
  const double compute = gflops > 0 ? flop / gflops * 1e-3 : 0;
  const double transfer = gb_per_s > 0 ? bytes / gb_per_s * 1e-3 : 0;
  return std::max(compute, transfer);
}

}  // namespace mikpoly::bench
