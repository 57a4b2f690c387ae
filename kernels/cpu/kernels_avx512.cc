// The avx512 f32 kernel set. Compiled with that instruction set's flags: see CMakeLists.txt.
#include "kernels/cpu/kernel_set-inl.h"
#include "kernels/cpu/kernel_sets.h"
#include "kernels/cpu/vec/avx512.h"

namespace mikpoly::cpu {

const KernelSet* avx512_f32() {
  static const KernelSet set = make_f32<Avx512>("avx512");
  return &set;
}

}  // namespace mikpoly::cpu
