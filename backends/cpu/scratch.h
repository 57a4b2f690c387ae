// Aligned memory for packing: per thread, and for packed weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace mikpoly::cpu {

// 64-byte aligned, on huge pages where it is large and the system offers them; null when memory is
// out. Freed by the returned pointer.
std::shared_ptr<void> allocate_aligned(std::size_t bytes);

// This thread's scratch of at least `bytes`, 64-byte aligned; grows, never shrinks, freed at
// thread exit. Null when memory is out. Its size is bounded by the largest kernel's need.
std::byte* thread_scratch(int64_t bytes);

}  // namespace mikpoly::cpu
