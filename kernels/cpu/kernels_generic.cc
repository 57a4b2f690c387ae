// The generic kernel set. Compiled with that instruction set's flags: see CMakeLists.txt.
#include "kernels/cpu/kernel_set-inl.h"
#include "kernels/cpu/vec/generic.h"

namespace mikpoly::cpu {

const KernelSet* generic_kernels() {
  static const KernelSet set = make_kernel_set<Generic>("generic");
  return &set;
}

}  // namespace mikpoly::cpu
