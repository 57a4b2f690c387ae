#include "planner/candidates.h"

#include <algorithm>

namespace mikpoly {

UnitChoices unit_choices(const DeviceModel& device, const PlanOptions& options) {
  int most = std::max(device.units, 1);
  if (options.max_units > 0) most = std::min(most, options.max_units);
  const int least = std::clamp(device.min_units, 1, most);
  UnitChoices choices;
  choices.add(most);
  int power = 1;
  while (power <= most / 2) power *= 2;
  for (; power >= least; power /= 2) choices.add(power);
  choices.add(least);
  return choices;
}

CutChoices cut_choices(const Axis& axis, double length, double across, double slots) {
  CutChoices cuts;
  const double last = axis.cover(length) - 1;  // blocks before the last one, full or not
  if (last < 1) return cuts;
  const auto add = [&](double blocks) {
    if (blocks >= 1 && blocks <= last) cuts.add(blocks * axis.block);
  };
  add(last);
  const double waves = floor_of((last + 1) * across / slots);
  const double wave_end = floor_of(waves * slots / across);
  add(wave_end);
  add(wave_end - 1);
  add(wave_end + 1);
  if (waves > 1) add(floor_of((waves - 1) * slots / across));
  return cuts;
}

SliceChoices slice_choices(const HotKernel& kernel, double depth, double blocks, double slots) {
  SliceChoices choices;
  if (kernel.max_k_slices < 2 || blocks >= slots) return choices;
  const double most = std::min(kernel.max_k_slices, ceil_of(depth * kernel.inv_uk));
  const double fill = slots / blocks;
  for (int waves = 1; waves <= 3; ++waves) {
    const double slices = std::min(most, floor_of(waves * fill));
    if (slices >= 2) choices.add(slices);
  }
  return choices;
}

double idle_units(const HotKernel& first, double first_blocks, int units) {
  const double slots = units * first.resident;
  if (first_blocks < slots) return 0;
  return (slots - (first_blocks - floor_of(first_blocks / slots) * slots)) * first.inv_resident;
}

}  // namespace mikpoly
