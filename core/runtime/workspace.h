// Scratch memory that gemm() lends to plans which split K.
#pragma once

#include <cstdint>

#include "mikpoly/runtime.h"

namespace mikpoly {

// This thread's memory of at least `bytes`, 64-byte aligned; grows, never shrinks, freed at thread
// exit. data is null when memory is out, and for 0 bytes if none was ever needed.
Workspace thread_workspace(int64_t bytes);

}  // namespace mikpoly
