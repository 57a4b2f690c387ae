// Which instruction sets this library holds and this processor runs.
#pragma once

#include <span>
#include <string_view>

#include "kernels/cpu/kernel_set.h"

namespace mikpoly::cpu {

// Sets that can run here, best first; the last is the portable one.
std::span<const KernelSet* const> usable_kernel_sets();

// Null where the name is unknown, not built, or not usable here.
const KernelSet* find_kernel_set(std::string_view isa);

// The register tiles of kernels.inc.
struct TileRow {
  const char* isa;
  int rows;
  int vectors;  // dot: columns
  bool dot;
};
std::span<const TileRow> tile_rows();

}  // namespace mikpoly::cpu
