#include "kernels/cpu/kernel_sets.h"

#include <vector>

namespace mikpoly::cpu {
namespace {

constexpr TileRow kTileRows[] = {
#define MIKPOLY_CPU_TILE(isa, rows, vectors) {#isa, rows, vectors, false},
#define MIKPOLY_CPU_DOT(isa, rows, cols) {#isa, rows, cols, true},
#include "kernels/cpu/kernels.inc"
};

std::vector<const KernelSet*> detect() {
  std::vector<const KernelSet*> sets;
#if MIKPOLY_CPU_X86
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
    sets.push_back(avx512_kernels());
  }
  if (avx2) sets.push_back(avx2_kernels());
#endif
  sets.push_back(generic_kernels());
  return sets;
}

}  // namespace

std::span<const KernelSet* const> usable_kernel_sets() {
  static const std::vector<const KernelSet*> sets = detect();
  return sets;
}

const KernelSet* find_kernel_set(std::string_view isa) {
  for (const KernelSet* set : usable_kernel_sets()) {
    if (isa == set->isa) return set;
  }
  return nullptr;
}

std::span<const TileRow> tile_rows() { return kTileRows; }

}  // namespace mikpoly::cpu
