// Activation functions over the vectors of a floating-point leaf. Errors: within 4 units in the
// last place of f32 where the result is not tiny, and exact at infinities; NaN stays NaN.
#pragma once

namespace mikpoly::cpu {
namespace {

template <class U, int kCount>
inline typename U::Vec polynomial(typename U::Vec x, const float (&highest_first)[kCount]) {
  auto sum = U::set1(highest_first[0]);
  for (int i = 1; i < kCount; ++i) sum = U::fma(sum, x, U::set1(highest_first[i]));
  return sum;
}

// e^x by 2^n e^r with |r| <= ln 2 / 2. Beyond the limits the result is 0 or infinity.
template <class U>
inline typename U::Vec exp(typename U::Vec x) {
  constexpr float kSeries[] = {1.0F / 5040, 1.0F / 720, 1.0F / 120, 1.0F / 24,
                               1.0F / 6,    0.5F,       1,          1};
  constexpr float kLn2High = 0.693359375F;  // few bits, so that its product with n is exact
  constexpr float kLn2Low = -2.12194440e-4F;
  x = U::max(U::set1(-105.0F), U::min(U::set1(89.0F), x));
  const auto n = U::round(U::mul(x, U::set1(1.44269504F)));
  auto r = U::fma(n, U::set1(-kLn2High), x);
  r = U::fma(n, U::set1(-kLn2Low), r);
  return U::scale2(polynomial<U>(r, kSeries), n);
}

template <class U>
inline typename U::Vec negated(typename U::Vec x) {
  return U::sub(U::zero(), x);
}

template <class U>
inline typename U::Vec sigmoid(typename U::Vec x) {
  const auto one = U::set1(1);
  return U::div(one, U::add(one, exp<U>(negated<U>(x))));
}

// Near 0 by the odd series' best fit (Cephes, S. Moshier: tanhf), else by exp.
template <class U>
inline typename U::Vec tanh(typename U::Vec x) {
  constexpr float kFit[] = {-5.70498872745e-3F, 2.06390887954e-2F, -5.37397155531e-2F,
                            1.33314422036e-1F, -3.33332819422e-1F};
  const auto size = U::max(x, negated<U>(x));
  const auto square = U::mul(x, x);
  const auto near = U::fma(U::mul(polynomial<U>(square, kFit), square), x, x);
  const auto one = U::set1(1);
  const auto e = exp<U>(U::add(size, size));
  const auto far = U::sub(one, U::div(U::set1(2), U::add(e, one)));
  const auto signed_far = U::select_less(x, U::zero(), negated<U>(far), far);
  return U::select_less(size, U::set1(0.625F), near, signed_far);
}

// x Phi(x), Phi(-z) = erfc(z / sqrt 2) / 2 by a fit whose relative error is 1.2e-7 everywhere
// (Numerical Recipes, section 6.2), so that the left tail is right, too.
template <class U>
inline typename U::Vec gelu_erf(typename U::Vec x) {
  constexpr float kFit[] = {0.17087277F,  -0.82215223F, 1.48851587F, -1.13520398F, 0.27886807F,
                            -0.18628806F, 0.09678418F,  0.37409196F, 1.00002368F,  -1.26551223F};
  const auto one = U::set1(1);
  const auto half = U::set1(0.5F);
  const auto z = U::mul(U::max(x, negated<U>(x)), U::set1(0.70710678F));
  const auto t = U::div(one, U::fma(half, z, one));
  const auto tail = U::mul(U::mul(half, t), exp<U>(U::sub(polynomial<U>(t, kFit), U::mul(z, z))));
  return U::mul(x, U::select_less(x, U::zero(), tail, U::sub(one, tail)));
}

// x sigmoid(2 u) with u = sqrt(2 / pi) (x + 0.044715 x^3), which equals x (1 + tanh u) / 2.
template <class U>
inline typename U::Vec gelu_tanh(typename U::Vec x) {
  const auto cubic = U::fma(U::mul(x, x), U::set1(0.044715F), U::set1(1));
  return U::mul(x, sigmoid<U>(U::mul(U::mul(x, U::set1(1.59576912F)), cubic)));
}

template <class U>
inline typename U::Vec hard_swish(typename U::Vec x) {
  const auto gate = U::min(U::set1(6), U::max(U::zero(), U::add(x, U::set1(3))));
  return U::mul(x, U::mul(gate, U::set1(1.0F / 6)));
}

}  // namespace
}  // namespace mikpoly::cpu
