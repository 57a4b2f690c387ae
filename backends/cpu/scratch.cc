#include "backends/cpu/scratch.h"

#include <cstdlib>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace mikpoly::cpu {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kCacheLine = 64;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

struct Scratch {
  std::shared_ptr<void> data;
  int64_t bytes = 0;
};

}  // namespace

std::shared_ptr<void> allocate_aligned(std::size_t bytes) {
  const bool huge = bytes >= kHugePage;
  const std::size_t unit = huge ? kHugePage : kCacheLine;
  void* p = std::aligned_alloc(unit, round_up(bytes == 0 ? 1 : bytes, unit));
  if (p == nullptr) return nullptr;
#if defined(__linux__)
  if (huge) madvise(p, round_up(bytes, unit), MADV_HUGEPAGE);  // a hint: failure costs speed only
#endif
  return {p, [](void* q) { std::free(q); }};
}

std::byte* thread_scratch(int64_t bytes) {
  thread_local Scratch scratch;
  if (scratch.bytes < bytes) {
    scratch.data.reset();
    scratch.data = allocate_aligned(static_cast<std::size_t>(bytes));
    scratch.bytes = scratch.data == nullptr ? 0 : bytes;
  }
  return static_cast<std::byte*>(scratch.data.get());
}

}  // namespace mikpoly::cpu
