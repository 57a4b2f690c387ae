// Which kernel sets this library holds and this processor runs.
#pragma once

#include <span>
#include <string_view>

#include "kernels/cpu/kernel_set.h"

namespace mikpoly::cpu {

// The sets built in; those of another processor family are not linked.
const KernelSet* avx512_f32();
const KernelSet* avx512_f64();
const KernelSet* avx512_bf16();
const KernelSet* avx512_s8();
const KernelSet* avx2_f32();
const KernelSet* avx2_f64();
const KernelSet* avx2_s16();
const KernelSet* generic_f32();
const KernelSet* generic_f64();
const KernelSet* generic_s16();

// All sets that can run here, the best instruction set first; the portable ones last.
std::span<const KernelSet* const> usable_kernel_sets();
// The f32 sets among them: one an instruction set.
std::span<const KernelSet* const> usable_f32_sets();

// Null where the name is unknown, not built, not usable here, or has no set for the math.
const KernelSet* find_kernel_set(std::string_view isa, Math math = Math::kF32);

// "f32", "bf16", ...
const char* to_string(Math math);

// The register tiles of kernels.inc.
struct TileRow {
  const char* isa;
  Math math;
  int rows;
  int vectors;  // dot: columns
  bool dot;
};
std::span<const TileRow> tile_rows();

}  // namespace mikpoly::cpu
