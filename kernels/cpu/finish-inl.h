// See finish.h. U is a floating-point leaf: f32 for sums in f32 and s32, f64 for sums in f64.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/cpu/activation-inl.h"
#include "kernels/cpu/convert-inl.h"
#include "kernels/cpu/finish.h"
#include "kernels/cpu/round-inl.h"

namespace mikpoly::cpu {
namespace {

// f64 has no vector code for the transcendental functions: the library's, element by element.
inline double activated(EpilogueStep::Kind kind, double x) {
  using Kind = EpilogueStep::Kind;
  switch (kind) {
    case Kind::kGeluErf:
      return 0.5 * x * std::erfc(-x * 0.70710678118654752);
    case Kind::kGeluTanh:
      return x / (1 + std::exp(-1.5957691216057308 * x * (1 + 0.044715 * x * x)));
    case Kind::kSilu:
      return x / (1 + std::exp(-x));
    case Kind::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Kind::kTanh:
      return std::tanh(x);
    case Kind::kHardSwish:
      return x * std::min(6.0, std::max(0.0, x + 3)) / 6;
    default:
      return x;
  }
}

template <class U, class Sum>
class Finisher {
  using T = typename U::Out;  // what is computed in
  using Vec = typename U::Vec;
  static constexpr int kLanes = U::kLanes;

 public:
  explicit Finisher(const FinishArgs& t) : t_(t), how_(*t.how) {}

  void run() const {
    if constexpr (std::is_integral_v<Sum>) {
      correct();
      if (how_.c_type == DType::kS32) return store_whole();
      to_float();
    }
    scale();
    if (how_.beta != 0) add_c();
    for (int i = 0; i < how_.step_count; ++i) step(how_.steps[static_cast<size_t>(i)]);
    store();
  }

 private:
  T* at(int64_t i, int64_t j) const { return static_cast<T*>(t_.sums) + i * t_.sums_row + j; }
  Sum* sum_at(int64_t i, int64_t j) const {
    return static_cast<Sum*>(t_.sums) + i * t_.sums_row + j;
  }

  // f(i, j, count) for every vector's place.
  template <class F>
  void each(F f) const {
    for (int64_t i = 0; i < t_.rows; ++i) {
      int64_t j = 0;
      for (; j + kLanes <= t_.cols; j += kLanes) f(i, j, kLanes);
      if (j < t_.cols) f(i, j, static_cast<int>(t_.cols - j));
    }
  }
  static Vec load(const T* p, int count) {
    return count == kLanes ? U::load(p) : U::load(p, U::first(count));
  }
  static void store(T* p, Vec v, int count) {
    if (count == kLanes) {
      U::store(p, v);
    } else {
      U::store(p, v, U::first(count));
    }
  }
  // sums = f(sums, i, j, count)
  template <class F>
  void transform(F f) const {
    each([&](int64_t i, int64_t j, int count) {
      T* p = at(i, j);
      store(p, f(load(p, count), i, j, count), count);
    });
  }

  // Of the sum over (a + shift) (b): what shift and zero points have added. Arithmetic modulo 2^32,
  // as the sums': the result is exact where it fits.
  void correct() const {
    const bool columns = how_.needs_column_sums();
    const bool rows = how_.needs_row_sums();
    if (!columns && !rows) return;
    for (int64_t i = 0; i < t_.rows; ++i) {
      const auto a_zero = how_.a_zero == nullptr
                              ? uint32_t{0}
                              : static_cast<uint32_t>(how_.a_zero[(t_.row + i) * how_.a_zero_row]);
      const uint32_t by_column = a_zero + static_cast<uint32_t>(how_.a_shift);
      const uint32_t row_sum =
          rows ? static_cast<uint32_t>(t_.row_sums[i]) - static_cast<uint32_t>(how_.depth) * a_zero
               : 0;
      Sum* p = sum_at(i, 0);
      for (int64_t j = 0; j < t_.cols; ++j) {
        auto value = static_cast<uint32_t>(p[j]);
        if (columns) value -= by_column * static_cast<uint32_t>(t_.column_sums[j]);
        if (rows) {
          const auto b_zero = static_cast<uint32_t>(how_.b_zero[(t_.col + j) * how_.b_zero_col]);
          value -= b_zero * row_sum;
        }
        p[j] = static_cast<Sum>(value);
      }
    }
  }

  void store_whole() const {
    for (int64_t i = 0; i < t_.rows; ++i) {
      for (int64_t j = 0; j < t_.cols; ++j) {
        auto* c = static_cast<int32_t*>(how_.c) + (t_.row + i) * how_.c_at.row +
                  (t_.col + j) * how_.c_at.col;
        const auto before = how_.beta == 0 ? 0U : static_cast<uint32_t>(*c);
        *c = static_cast<int32_t>(static_cast<uint32_t>(*sum_at(i, j)) + before);
      }
    }
  }

  void to_float() const {
    for (int64_t i = 0; i < t_.rows; ++i) {
      for (int64_t j = 0; j < t_.cols; ++j) {
        Sum whole;
        std::memcpy(&whole, at(i, j), sizeof whole);
        const auto value = static_cast<T>(whole);
        std::memcpy(at(i, j), &value, sizeof value);
      }
    }
  }

  // A plain factor goes with the row's scale.
  void scale() const {
    if (how_.alpha == 1 && how_.a_scale == nullptr && how_.b_scale == nullptr) return;
    transform([&](Vec x, int64_t i, int64_t j, int count) {
      const double row =
          how_.alpha *
          (how_.a_scale == nullptr ? 1.0 : how_.a_scale[(t_.row + i) * how_.a_scale_row]);
      x = U::mul(U::set1(static_cast<T>(row)), x);
      if (how_.b_scale == nullptr) return x;
      return U::mul(x, operand(DType::kF32, how_.b_scale, (t_.col + j) * how_.b_scale_col,
                               how_.b_scale_col, count));
    });
  }

  void add_c() const {
    const auto beta = U::set1(static_cast<T>(how_.beta));
    transform([&](Vec x, int64_t i, int64_t j, int count) {
      const int64_t first = (t_.row + i) * how_.c_at.row + (t_.col + j) * how_.c_at.col;
      return U::fma(beta, operand(how_.c_type, how_.c, first, how_.c_at.col, count), x);
    });
  }

  // `count` values from element `first` on, `stride` apart.
  static Vec operand(DType type, const void* p, int64_t first, int64_t stride, int count) {
    if (type == kOwn && stride == 1) return load(static_cast<const T*>(p) + first, count);
    alignas(64) T values[kLanes] = {};
    with_elements(type, p, [&](const auto* elements) {
      const auto* e = elements + first;
      if (stride == 1 && count == kLanes) {  // a loop of known length becomes vector code
        for (int i = 0; i < kLanes; ++i) values[i] = static_cast<T>(value_of(e[i]));
      } else if (stride == 0) {
        for (int i = 0; i < kLanes; ++i) values[i] = static_cast<T>(value_of(*e));
      } else {
        for (int i = 0; i < count; ++i) values[i] = static_cast<T>(value_of(e[i * stride]));
      }
    });
    return U::load(values);
  }
  static constexpr DType kOwn = std::is_same_v<T, double> ? DType::kF64 : DType::kF32;

  void step(const Finishing::Step& s) const {
    using Kind = EpilogueStep::Kind;
    const auto zero = U::zero();
    switch (s.kind) {
      case Kind::kAdd:
        return with_operand(s, [](Vec x, Vec y) { return U::add(x, y); });
      case Kind::kMultiply:
        return with_operand(s, [](Vec x, Vec y) { return U::mul(x, y); });
      case Kind::kRelu:
        return map([=](Vec x) { return U::max(zero, x); });
      case Kind::kClip: {
        const auto low = U::set1(static_cast<T>(s.low));
        const auto high = U::set1(static_cast<T>(s.high));
        return map([=](Vec x) { return U::min(high, U::max(low, x)); });
      }
      default:
        return activation(s.kind);
    }
  }

  template <class F>
  void map(F f) const {
    transform([&](Vec x, int64_t, int64_t, int) { return f(x); });
  }

  template <class F>
  void with_operand(const Finishing::Step& s, F f) const {
    transform([&](Vec x, int64_t i, int64_t j, int count) {
      const int64_t first = (t_.row + i) * s.at.row + (t_.col + j) * s.at.col;
      return f(x, operand(s.type, s.operand, first, s.at.col, count));
    });
  }

  void activation(EpilogueStep::Kind kind) const {
    using Kind = EpilogueStep::Kind;
    if constexpr (std::is_same_v<T, double>) {
      each([&](int64_t i, int64_t j, int count) {
        for (int l = 0; l < count; ++l) *at(i, j + l) = activated(kind, *at(i, j + l));
      });
    } else {
      switch (kind) {
        case Kind::kGeluErf:
          return map([](Vec x) { return gelu_erf<U>(x); });
        case Kind::kGeluTanh:
          return map([](Vec x) { return gelu_tanh<U>(x); });
        case Kind::kSilu:
          return map([](Vec x) { return U::mul(x, sigmoid<U>(x)); });
        case Kind::kSigmoid:
          return map([](Vec x) { return sigmoid<U>(x); });
        case Kind::kTanh:
          return map([](Vec x) { return mikpoly::cpu::tanh<U>(x); });
        default:
          return map([](Vec x) { return hard_swish<U>(x); });
      }
    }
  }

  void store() const {
    with_elements(how_.c_type, how_.c, [&](auto* c) {
      using Element = std::remove_pointer_t<decltype(c)>;
      for (int64_t i = 0; i < t_.rows; ++i) {
        Element* row = c + (t_.row + i) * how_.c_at.row + t_.col * how_.c_at.col;
        const T* from = at(i, 0);
        if (how_.c_at.col != 1) {
          for (int64_t j = 0; j < t_.cols; ++j) row[j * how_.c_at.col] = rounded<Element>(from[j]);
          continue;
        }
        int64_t j = 0;
        for (; j + kLanes <= t_.cols; j += kLanes) {
          for (int l = 0; l < kLanes; ++l) row[j + l] = rounded<Element>(from[j + l]);
        }
        for (; j < t_.cols; ++j) row[j] = rounded<Element>(from[j]);
      }
    });
  }

  template <class Element>
  Element rounded(T x) const {
    if constexpr (sizeof(Element) == 1) {
      return quantized<Element>(static_cast<float>(x), how_.c_scale, how_.c_zero);
    } else {
      return rounded_to<Element>(x);
    }
  }

  const FinishArgs& t_;
  const Finishing& how_;
};

template <class U, class Sum>
void finish(const FinishArgs& args) {
  Finisher<U, Sum>(args).run();
}

}  // namespace
}  // namespace mikpoly::cpu
