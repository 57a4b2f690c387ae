// Portable leaves: the compiler's 16-byte vectors (SSE2, NEON, or scalar code where neither
// exists).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace mikpoly::cpu {

// What the portable leaves share: vectors of Lanes sums of type Sum.
template <class Sum, int Lanes>
struct GenericVector {
  typedef Sum Vec __attribute__((vector_size(Lanes * sizeof(Sum))));
  using Out = Sum;
  using Mask = int;  // count of leading lanes
  static constexpr int kLanes = Lanes;
  static constexpr int kMaxRows[] = {8, 6, 4, 3};

  static Mask first(int count) { return count; }
  static Vec zero() { return Vec{}; }
  static Vec set1(Sum x) { return Vec{} + x; }
  static Vec load(const Sum* p) {
    Vec v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  static Vec load(const Sum* p, Mask m) {
    Vec v = zero();
    for (int i = 0; i < m; ++i) v[i] = p[i];
    return v;
  }
  static void store(Sum* p, Vec v) { std::memcpy(p, &v, sizeof v); }
  static void store(Sum* p, Vec v, Mask m) {
    for (int i = 0; i < m; ++i) p[i] = v[i];
  }
  static Vec mul(Vec a, Vec b) { return a * b; }
  static Vec add(Vec a, Vec b) { return a + b; }
};

// Operands of the sums' own floating-point type.
template <class Sum, int Lanes>
struct GenericFloat : GenericVector<Sum, Lanes> {
  using Base = GenericVector<Sum, Lanes>;
  using typename Base::Vec;
  using In = Sum;
  using InVec = Vec;
  static constexpr int kGroup = 1;
  static constexpr int kDotRows = 3;
  static constexpr int kDotCols = 4;

  static Vec fma(Vec a, Vec b, Vec c) { return a * b + c; }
  // b where either is NaN.
  static Vec min(Vec a, Vec b) { return a < b ? a : b; }
  static Vec max(Vec a, Vec b) { return a > b ? a : b; }
  static InVec broadcast(const In* a) { return Base::set1(*a); }
  static InVec load_run(const In* p, int64_t count) {
    return Base::load(p, static_cast<int>(count));
  }
  static Vec madd(InVec a, InVec b, Vec c) { return fma(a, b, c); }
  static Sum sum(Vec v) {
    Sum all = 0;
    for (int i = 0; i < Lanes; ++i) all += v[i];
    return all;
  }

  // Lanes x Lanes transpose in place.
  static void transpose(Vec (&r)[Lanes]) {
    for (int i = 0; i < Lanes; ++i) {
      for (int j = i + 1; j < Lanes; ++j) {
        const Sum x = r[i][j];
        r[i][j] = r[j][i];
        r[j][i] = x;
      }
    }
  }
};

struct Generic : GenericFloat<float, 4> {
  static Vec sub(Vec a, Vec b) { return a - b; }
  static Vec div(Vec a, Vec b) { return a / b; }
  static Vec select_less(Vec a, Vec b, Vec less, Vec other) { return a < b ? less : other; }
  static Vec round(Vec a) {
    for (int i = 0; i < kLanes; ++i) a[i] = std::nearbyint(a[i]);
    return a;
  }
  // x * 2^n for whole n.
  static Vec scale2(Vec x, Vec n) {
    for (int i = 0; i < kLanes; ++i) x[i] = std::ldexp(x[i], static_cast<int>(n[i]));
    return x;
  }
};

using GenericF64 = GenericFloat<double, 2>;

// 8-bit operands widened to s16, pairs along K.
struct GenericS16 : GenericVector<int32_t, 4> {
  using In = int16_t;
  typedef int16_t InVec __attribute__((vector_size(16)));
  static constexpr int kGroup = 2;

  using GenericVector::load;
  static InVec load(const In* p) {
    InVec v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  static InVec load(const In* p, Mask m) {
    InVec v{};
    for (int i = 0; i < 2 * m; ++i) v[i] = p[i];
    return v;
  }
  static InVec broadcast(const In* a) {
    return InVec{a[0], a[1], a[0], a[1], a[0], a[1], a[0], a[1]};
  }
  static Vec madd(InVec a, InVec b, Vec c) {
    for (int i = 0; i < kLanes; ++i) c[i] += a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
    return c;
  }
};

}  // namespace mikpoly::cpu
