// The caller's flush-to-zero and denormals-are-zero mode, carried to worker threads.
#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace mikpoly::cpu {

#if defined(__SSE__)
inline unsigned int float_mode() { return _mm_getcsr() & 0x8040U; }
// Sets the mode for a scope and restores the thread's own afterwards.
class ScopedFloatMode {
 public:
  explicit ScopedFloatMode(unsigned int mode) : saved_(_mm_getcsr()) {
    if ((saved_ & 0x8040U) != mode) _mm_setcsr((saved_ & ~0x8040U) | mode);
  }
  ~ScopedFloatMode() { _mm_setcsr(saved_); }
  ScopedFloatMode(const ScopedFloatMode&) = delete;
  ScopedFloatMode& operator=(const ScopedFloatMode&) = delete;

 private:
  unsigned int saved_;
};
#else
inline unsigned int float_mode() { return 0; }
class ScopedFloatMode {
 public:
  explicit ScopedFloatMode(unsigned int) {}
};
#endif

}  // namespace mikpoly::cpu
