// The portable kernel sets.
#include "kernels/cpu/kernel_set-inl.h"
#include "kernels/cpu/kernel_sets.h"
#include "kernels/cpu/vec/generic.h"

namespace mikpoly::cpu {

const KernelSet* generic_f32() {
  static const KernelSet set = make_f32<Generic>("generic");
  return &set;
}

const KernelSet* generic_f64() {
  static const KernelSet set = make_f64<GenericF64>("generic");
  return &set;
}

const KernelSet* generic_s16() {
  static const KernelSet set = make_8bit<GenericS16, Generic>("generic", Math::kS16);
  return &set;
}

}  // namespace mikpoly::cpu
