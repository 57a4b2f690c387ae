// Wall time.
#pragma once

#include <chrono>

namespace mikpoly::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}
inline double micros_since(Clock::time_point start) { return seconds_since(start) * 1e6; }

}  // namespace mikpoly::bench
