// The avx512 bf16 kernel set. Compiled with that instruction set's flags: see CMakeLists.txt.
#include "kernels/cpu/kernel_set-inl.h"
#include "kernels/cpu/kernel_sets.h"
#include "kernels/cpu/vec/avx512.h"
#include "kernels/cpu/vec/avx512_bf16.h"

namespace mikpoly::cpu {

const KernelSet* avx512_bf16() {
  static const KernelSet set = make_bf16<Avx512BF16, Avx512>("avx512");
  return &set;
}

}  // namespace mikpoly::cpu
