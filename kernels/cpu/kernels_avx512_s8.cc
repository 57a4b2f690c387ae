// The avx512 8-bit kernel set. Compiled with that instruction set's flags: see CMakeLists.txt.
#include "kernels/cpu/kernel_set-inl.h"
#include "kernels/cpu/kernel_sets.h"
#include "kernels/cpu/vec/avx512.h"
#include "kernels/cpu/vec/avx512_s8.h"

namespace mikpoly::cpu {

const KernelSet* avx512_s8() {
  static const KernelSet set = make_8bit<Avx512S8, Avx512>("avx512", Math::kS8);
  return &set;
}

}  // namespace mikpoly::cpu
