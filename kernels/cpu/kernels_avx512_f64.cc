// The avx512 f64 kernel set. Compiled with that instruction set's flags: see CMakeLists.txt.
#include "kernels/cpu/kernel_set-inl.h"
#include "kernels/cpu/kernel_sets.h"
#include "kernels/cpu/vec/avx512_f64.h"

namespace mikpoly::cpu {

const KernelSet* avx512_f64() {
  static const KernelSet set = make_f64<Avx512F64>("avx512");
  return &set;
}

}  // namespace mikpoly::cpu
