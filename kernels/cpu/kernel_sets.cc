#include "kernels/cpu/kernel_sets.h"

#include <vector>

namespace mikpoly::cpu {
namespace {

constexpr TileRow kTileRows[] = {
#define MIKPOLY_CPU_TILE(isa, math, rows, vectors) {#isa, Math::math, rows, vectors, false},
#define MIKPOLY_CPU_DOT(isa, math, rows, cols) {#isa, Math::math, rows, cols, true},
#include "kernels/cpu/kernels.inc"
};

std::vector<const KernelSet*> detect() {
  std::vector<const KernelSet*> sets;
#if MIKPOLY_CPU_X86
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
    sets.push_back(avx512_f32());
    sets.push_back(avx512_f64());
    if (__builtin_cpu_supports("avx512bf16")) sets.push_back(avx512_bf16());
    if (__builtin_cpu_supports("avx512vnni")) sets.push_back(avx512_s8());
  }
  if (avx2) {
    sets.push_back(avx2_f32());
    sets.push_back(avx2_f64());
    sets.push_back(avx2_s16());
  }
#endif
  sets.push_back(generic_f32());
  sets.push_back(generic_f64());
  sets.push_back(generic_s16());
  return sets;
}

}  // namespace

std::span<const KernelSet* const> usable_kernel_sets() {
  static const std::vector<const KernelSet*> sets = detect();
  return sets;
}

std::span<const KernelSet* const> usable_f32_sets() {
  static const std::vector<const KernelSet*> sets = [] {
    std::vector<const KernelSet*> some;
    for (const KernelSet* set : usable_kernel_sets()) {
      if (set->math == Math::kF32) some.push_back(set);
    }
    return some;
  }();
  return sets;
}

const KernelSet* find_kernel_set(std::string_view isa, Math math) {
  for (const KernelSet* set : usable_kernel_sets()) {
    if (isa == set->isa && math == set->math) return set;
  }
  return nullptr;
}

const char* to_string(Math math) {
  constexpr const char* kNames[kMaths] = {"f32", "f64", "bf16", "s8", "s16"};
  return kNames[static_cast<int>(math)];
}

std::span<const TileRow> tile_rows() { return kTileRows; }

}  // namespace mikpoly::cpu
