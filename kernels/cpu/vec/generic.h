// Portable leaf: the compiler's 16-byte vectors (SSE2, NEON, or scalar code where neither exists).
#pragma once

#include <cstdint>
#include <cstring>

namespace mikpoly::cpu {

struct Generic {
  typedef float Vec __attribute__((vector_size(16)));
  using Mask = int;  // count of leading lanes
  static constexpr int kLanes = 4;
  static constexpr int kMaxRows[] = {8, 6, 4, 3};
  static constexpr int kDotRows = 3;
  static constexpr int kDotCols = 4;

  static Mask first(int count) { return count; }
  static Vec zero() { return Vec{0, 0, 0, 0}; }
  static Vec set1(float x) { return Vec{x, x, x, x}; }
  static Vec load(const float* p) {
    Vec v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  static Vec load(const float* p, Mask m) {
    Vec v = zero();
    for (int i = 0; i < m; ++i) v[i] = p[i];
    return v;
  }
  static void store(float* p, Vec v) { std::memcpy(p, &v, sizeof v); }
  static void store(float* p, Vec v, Mask m) {
    for (int i = 0; i < m; ++i) p[i] = v[i];
  }
  static Vec mul(Vec a, Vec b) { return a * b; }
  static Vec add(Vec a, Vec b) { return a + b; }
  static Vec fma(Vec a, Vec b, Vec c) { return a * b + c; }
  static float sum(Vec v) { return (v[0] + v[2]) + (v[1] + v[3]); }

  // 4 x 4 transpose in place.
  static void transpose(Vec (&r)[kLanes]) {
    for (int i = 0; i < kLanes; ++i) {
      for (int j = i + 1; j < kLanes; ++j) {
        const float x = r[i][j];
        r[i][j] = r[j][i];
        r[j][i] = x;
      }
    }
  }
};

}  // namespace mikpoly::cpu
