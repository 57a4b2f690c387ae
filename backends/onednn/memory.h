// Memory of a call: dense copies of operands that oneDNN can't describe, and scratch per thread.
#pragma once

#include <cstddef>

#include "core/backend/backend.h"

namespace mikpoly::onednn {

// Whether oneDNN's fast kernels take the matrix as it lies: one dimension contiguous, no two
// elements in one place.
bool is_plain(int64_t rows, int64_t cols, Strides strides);

// Copies between any strides.
void copy_matrix(const float* from, Strides from_strides, float* to, Strides to_strides,
                 int64_t rows, int64_t cols);

// This thread's memory for one purpose, 64-byte aligned; grows, freed at thread exit. Throws
// std::bad_alloc.
enum class Use { kA, kB, kC, kScratchpad };
void* thread_memory(Use use, std::size_t bytes);

}  // namespace mikpoly::onednn
