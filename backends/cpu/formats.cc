#include "backends/cpu/formats.h"

namespace mikpoly::cpu {
namespace {

// The best set for the math from the instruction set of `f32_set` downwards.
const KernelSet* set_for(const KernelSet& f32_set, Math math) {
  bool reached = false;
  for (const KernelSet* set : usable_f32_sets()) {
    reached = reached || set == &f32_set;
    if (!reached) continue;
    if (const KernelSet* found = find_kernel_set(set->isa, math); found != nullptr) return found;
  }
  return nullptr;
}

bool is_8bit(DType type) { return type == DType::kS8 || type == DType::kU8; }

Formats with(const KernelSet* set, bool a_in_place, bool b_in_place, DType a, DType b) {
  Formats f;
  f.set = set;
  f.a_in_place = a_in_place;
  f.b_in_place = b_in_place;
  f.a_bytes = static_cast<int>(size_of(a));
  f.b_bytes = static_cast<int>(size_of(b));
  return f;
}

}  // namespace

Formats formats_for(const KernelSet& f32_set, DType a, DType b) {
  if (a == DType::kF64) return with(set_for(f32_set, Math::kF64), true, true, a, b);
  if (is_8bit(a)) {
    const KernelSet* quads = find_kernel_set(f32_set.isa, Math::kS8);
    if (quads != nullptr) return with(quads, true, true, a, b);
    return with(set_for(f32_set, Math::kS16), false, false, a, b);
  }
  if (a == DType::kBF16 && (b == DType::kBF16 || is_8bit(b))) {
    const KernelSet* pairs = find_kernel_set(f32_set.isa, Math::kBF16);
    if (pairs != nullptr) return with(pairs, true, b == DType::kBF16, a, b);
  }
  return with(&f32_set, a == DType::kF32, b == DType::kF32, a, b);
}

// In panels, most lanes of a few columns would be empty.
PackedLayout packed_layout(int64_t n, const Formats& f) {
  constexpr int64_t kMaxDotColumns = 8;
  if (!f.b_in_place) return PackedLayout::kStored;
  return n <= kMaxDotColumns && f.set->dot_rows > 0 ? PackedLayout::kColumns
                                                    : PackedLayout::kPanels;
}

}  // namespace mikpoly::cpu
