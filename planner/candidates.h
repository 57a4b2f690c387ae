// What may be chosen: unit counts, cut positions, K slices. The search and the full enumeration
// draw from the same candidates, so one can be checked against the other.
#pragma once

#include <array>

#include "planner/device_model.h"
#include "planner/hot_kernel.h"
#include "planner/search.h"

namespace mikpoly {

// A short list without repeats.
template <typename Value, int kCapacity>
struct Choices {
  std::array<Value, kCapacity> values;
  int count = 0;

  void add(Value value) {
    for (int i = 0; i < count; ++i) {
      if (values[i] == value) return;
    }
    if (count < kCapacity) values[count++] = value;
  }
  const Value* begin() const { return values.data(); }
  const Value* end() const { return values.data() + count; }
};

// Most first: all that are allowed, then the powers of two below, down to min_units. A limit below
// min_units wins over it.
using UnitChoices = Choices<int, 32>;
UnitChoices unit_choices(const DeviceModel& device, const PlanOptions& options);

// Where to end the first region along `axis`, in elements: after the last full block, and at the
// end of the last full wave, the wave before, and one block to each side, for a first region of
// `across` blocks per step. Every cut leaves something on both sides.
using CutChoices = Choices<double, 6>;
CutChoices cut_choices(const Axis& axis, double length, double across, double slots);

// K slices above 1 for `blocks` blocks on `slots` slots: as many as fill one, two or three waves.
// Empty where the blocks fill the slots without.
using SliceChoices = Choices<double, 3>;
SliceChoices slice_choices(const HotKernel& kernel, double depth, double blocks, double slots);

// Units that the last wave of a first region leaves idle; 0 where it does not fill even one wave,
// since slices of a second region cannot shorten that plan.
double idle_units(const HotKernel& first, double first_blocks, int units);

}  // namespace mikpoly
