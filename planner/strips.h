// Cuts of a rectangle into two strips that need the least work: how the regions of the patterns
// with more than two are found. Inner header of the search.
#pragma once

#include <span>

#include "planner/hot_kernel.h"

namespace mikpoly {

// A kernel on the shape at hand.
struct TimedKernel {
  const HotKernel* kernel;
  double block_ns;    // of a full block's task over the whole depth
  double least_rate;  // no region of the shape takes less work per output; 0 where not known

  // Sum of the task times of a grid over the blocks that a unit runs at once: the time that one
  // unit needs when it never waits.
  double work(const Grid& grid) const { return grid.sum() * block_ns * kernel->inv_resident; }
  double work(double rows, double cols) const { return work(kernel->grid(rows, cols)); }
};

// One or two strips. Work is in ns of one unit that never waits.
struct Strips {
  TimedKernel first = {nullptr, 0, 0};
  TimedKernel second = {nullptr, 0, 0};
  double length = 0;  // of the first strip, along the cut dimension
  double work = 0;    // of both; not below the limit asked for where nothing below it was found
};

inline Strips one_strip(const TimedKernel& timed) {
  Strips strips;
  strips.first = timed;
  return strips;
}

// The kernel with the least work on a rectangle, if below `limit`.
Strips least_whole(std::span<const TimedKernel> kernels, double rows, double cols, double limit);

// The least work below `limit` of two strips: the first holds the full blocks of its kernel, the
// second what is left. Cuts rows where `along_m`, else columns. `least_rate` is a lower bound of
// every kernel's ns per output.
Strips least_strips(std::span<const TimedKernel> kernels, double rows, double cols, bool along_m,
                    double least_rate, double limit);

}  // namespace mikpoly
