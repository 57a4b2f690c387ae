// The avx2 kernel set. Compiled with that instruction set's flags: see CMakeLists.txt.
#include "kernels/cpu/kernel_set-inl.h"
#include "kernels/cpu/vec/avx2.h"

namespace mikpoly::cpu {

const KernelSet* avx2_kernels() {
  static const KernelSet set = make_kernel_set<Avx2>("avx2");
  return &set;
}

}  // namespace mikpoly::cpu
