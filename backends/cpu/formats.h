// Which tiles serve operands of two types, and how the operands come to them.
#pragma once

#include <cstdint>

#include "kernels/cpu/kernel_sets.h"
#include "mikpoly/dtype.h"

namespace mikpoly::cpu {

struct Formats {
  const KernelSet* set = nullptr;  // null: the pair is not served
  bool a_in_place = true;          // read as it lies; else converted by a copy
  bool b_in_place = true;
  int a_bytes = 0;  // of an element as stored
  int b_bytes = 0;

  Formats() = default;
  // Operands of the set's own type.
  Formats(const KernelSet& own)  // NOLINT(google-explicit-constructor): a set is its own formats
      : set(&own), a_bytes(own.in_bytes), b_bytes(own.in_bytes) {}

  friend bool operator==(const Formats&, const Formats&) = default;
};

// The fastest way that is exact where the contract asks for it, with the sets of one instruction
// set or, where it has none, a lesser one's.
Formats formats_for(const KernelSet& f32_set, DType a, DType b);

// How a packed B lies.
enum class PackedLayout {
  kPanels = 1,  // as the tiles read them, sums of columns behind them where the set takes any
  kColumns,     // column by column, in the stored type, which is the tiles'
  kStored,      // panels in the stored type, which a copy converts
};
PackedLayout packed_layout(int64_t n, const Formats& formats);

}  // namespace mikpoly::cpu
