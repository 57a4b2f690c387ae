// The avx2 kernel sets. Compiled with that instruction set's flags: see CMakeLists.txt.
#include "kernels/cpu/kernel_set-inl.h"
#include "kernels/cpu/kernel_sets.h"
#include "kernels/cpu/vec/avx2.h"
#include "kernels/cpu/vec/avx2_f64.h"
#include "kernels/cpu/vec/avx2_s16.h"

namespace mikpoly::cpu {

const KernelSet* avx2_f32() {
  static const KernelSet set = make_f32<Avx2>("avx2");
  return &set;
}

const KernelSet* avx2_f64() {
  static const KernelSet set = make_f64<Avx2F64>("avx2");
  return &set;
}

const KernelSet* avx2_s16() {
  static const KernelSet set = make_8bit<Avx2S16, Avx2>("avx2", Math::kS16);
  return &set;
}

}  // namespace mikpoly::cpu
