#include "core/base/epilogue.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/element.h"

namespace mikpoly {
namespace {

using Kind = EpilogueStep::Kind;
using Extent = EpilogueStep::Extent;

Status invalid(std::string message) { return {StatusCode::kInvalidArgument, std::move(message)}; }
Status unsupported(std::string message) { return {StatusCode::kUnsupported, std::move(message)}; }

bool is_8bit(DType type) { return type == DType::kS8 || type == DType::kU8; }
bool takes_operand(Kind kind) { return kind == Kind::kAdd || kind == Kind::kMultiply; }

std::string name_of(std::size_t index) { return "epilogue[" + std::to_string(index) + "]"; }

bool operand_type(DType type, DType c_type) {
  return type == DType::kF32 || type == DType::kBF16 || type == DType::kF16 ||
         (type == DType::kF64 && c_type == DType::kF64);
}

// Strides of a step's operand over the problem as the user stated it.
Result<Strides> operand_strides(const std::string& name, const EpilogueStep& step, int64_t m,
                                int64_t n) {
  switch (step.extent) {
    case Extent::kScalar:
      return Strides{0, 0};
    case Extent::kPerRow:
      return Strides{1, 0};
    case Extent::kPerColumn:
      return Strides{0, 1};
    case Extent::kMatrix:
      return canonical_strides((name + ".layout").c_str(), step.layout, m, n, step.type);
  }
  return invalid(name + ".extent is " + std::to_string(static_cast<int>(step.extent)) +
                 "; it must be one of EpilogueStep::Extent's values");
}

Status check_step(const std::string& name, const EpilogueStep& step, DType c_type) {
  const int kind = static_cast<int>(step.kind);
  if (kind < 0 || kind > static_cast<int>(Kind::kHardSwish)) {
    return invalid(name + ".kind is " + std::to_string(kind) +
                   "; it must be one of EpilogueStep::Kind's values");
  }
  if (step.kind == Kind::kClip && !(step.low <= step.high)) {
    return invalid(name + " clips to " + std::to_string(step.low) + " .. " +
                   std::to_string(step.high) + "; low must be at most high");
  }
  if (!takes_operand(step.kind)) return {};
  if (step.operand == nullptr) {
    return invalid(name + ".operand is null; it must point to the values to add or multiply by");
  }
  if (!operand_type(step.type, c_type)) {
    return invalid(name + ".type is " + to_string(step.type) +
                   "; it must be f32, bf16 or f16 (f64 where C is)");
  }
  return {};
}

Status add_steps(const CanonicalGemm& gemm, const GemmArgs& args, CallArgs* out) {
  if (args.epilogue.size() > kMaxEpilogueSteps) {
    return invalid("epilogue has " + std::to_string(args.epilogue.size()) + " steps; at most " +
                   std::to_string(kMaxEpilogueSteps) + " are served");
  }
  const Shape& s = gemm.call.shape;
  const int64_t m = gemm.swapped ? s.n : s.m;
  const int64_t n = gemm.swapped ? s.m : s.n;
  for (std::size_t i = 0; i < args.epilogue.size(); ++i) {
    const EpilogueStep& step = args.epilogue[i];
    const std::string name = name_of(i);
    MIKPOLY_TRY(check_step(name, step, gemm.call.c_type));
    CallStep& to = out->steps[i];
    to = {step.kind, step.type, step.operand, {}, step.low, step.high};
    if (!takes_operand(step.kind)) continue;
    const Result<Strides> at = operand_strides(name, step, m, n);
    if (!at.ok()) return at.status();
    to.at = gemm.swapped ? Strides{at.value().col, at.value().row} : at.value();
  }
  out->step_count = static_cast<int>(args.epilogue.size());
  return {};
}

bool given(const Quantization::Operand& x) { return x.scale != nullptr || x.zero_point != nullptr; }

Status check_output_scale(const Quantization::Operand& c, DType type) {
  if (!given(c)) return {};
  if (!is_8bit(type)) {
    return invalid(std::string("quantization.c is given; C is ") + to_string(type) +
                   ", but only s8 and u8 have a scale and a zero point");
  }
  if (c.scale_per_channel || c.zero_point_per_channel) {
    return invalid("quantization.c is per channel; C has one scale and one zero point");
  }
  if (c.scale != nullptr && !(*c.scale > 0 && std::isfinite(*c.scale))) {
    return invalid("quantization.c.scale is " + std::to_string(*c.scale) + "; it must be above 0");
  }
  const int low = type == DType::kS8 ? -128 : 0;
  if (c.zero_point != nullptr && (*c.zero_point < low || *c.zero_point > low + 255)) {
    return invalid("quantization.c.zero_point is " + std::to_string(*c.zero_point) +
                   "; it must be " + std::to_string(low) + " .. " + std::to_string(low + 255));
  }
  return {};
}

Status add_quantization(const CanonicalGemm& gemm, const Quantization& q, CallArgs* out) {
  const GemmCall& call = gemm.call;
  const bool integers = is_8bit(call.a_type) && is_8bit(call.b_type);
  if (given(q.a) && !integers) {
    return invalid("quantization.a is given; A and B must be s8 or u8 for it");
  }
  if (given(q.b) && !is_8bit(call.b_type)) {
    return invalid(std::string("quantization.b is given; B is ") + to_string(call.b_type) +
                   ", but only s8 and u8 have a scale and a zero point");
  }
  if (q.b.zero_point != nullptr && !integers) {
    return unsupported(std::string("a zero point of 8-bit weights is not served where A is ") +
                       to_string(call.a_type));
  }
  MIKPOLY_TRY(check_output_scale(q.c, call.c_type));
  out->quantization = q;
  if (gemm.swapped) std::swap(out->quantization.a, out->quantization.b);
  return {};
}

double activated(Kind kind, double x) {
  switch (kind) {
    case Kind::kGeluErf:
      return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    case Kind::kGeluTanh:
      return 0.5 * x * (1 + std::tanh(0.79788456080286536 * (x + 0.044715 * x * x * x)));
    case Kind::kSilu:
      return x / (1 + std::exp(-x));
    case Kind::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Kind::kTanh:
      return std::tanh(x);
    case Kind::kHardSwish:
      return x * std::min(std::max(x + 3, 0.0), 6.0) / 6;
    default:
      return x;
  }
}

// a where either is NaN: comparisons with NaN are false.
double largest(double a, double b) { return a < b ? b : a; }
double least(double a, double b) { return a > b ? b : a; }

double applied(const CallStep& step, int64_t i, int64_t j, double x) {
  switch (step.kind) {
    case Kind::kAdd:
      return x + load_element(step.type, step.operand, i * step.at.row + j * step.at.col);
    case Kind::kMultiply:
      return x * load_element(step.type, step.operand, i * step.at.row + j * step.at.col);
    case Kind::kRelu:
      return largest(x, 0);
    case Kind::kClip:
      return least(largest(x, step.low), step.high);
    default:
      return activated(step.kind, x);
  }
}

}  // namespace

bool CallArgs::plain() const {
  const Quantization& q = quantization;
  return step_count == 0 && !given(q.a) && !given(q.b) && !given(q.c);
}

Status canonical_epilogue(const CanonicalGemm& gemm, const GemmArgs& args, CallArgs* out) {
  out->alpha = args.alpha;
  out->beta = args.beta;
  if (!args.epilogue.empty()) MIKPOLY_TRY(add_steps(gemm, args, out));
  if (args.quantization != nullptr) {
    MIKPOLY_TRY(add_quantization(gemm, *args.quantization, out));
  }
  if (gemm.call.c_type != DType::kS32) return {};
  const Quantization& q = out->quantization;
  const bool scaled = q.a.scale != nullptr || q.b.scale != nullptr;
  const bool bare = args.alpha == 1 && (args.beta == 0 || args.beta == 1);
  if (bare && !scaled && out->step_count == 0) return {};
  return unsupported("s32 output takes alpha 1, beta 0 or 1, and no epilogue or scale");
}

double finished(const GemmCall& call, const CallArgs& args, int64_t i, int64_t j, double product) {
  double x = product;
  if (args.beta != 0) {
    x += args.beta * load_element(call.c_type, args.c, i * call.c.row + j * call.c.col);
  }
  for (int s = 0; s < args.step_count; ++s)
    x = applied(args.steps[static_cast<size_t>(s)], i, j, x);
  return x;
}

void store_output(const GemmCall& call, const CallArgs& args, int64_t i, int64_t j, double value) {
  const Quantization::Operand& c = args.quantization.c;
  if (is_8bit(call.c_type)) {
    if (c.scale != nullptr) value /= *c.scale;
    value = std::nearbyint(value);
    if (c.zero_point != nullptr) value += *c.zero_point;
  }
  store_element(call.c_type, args.c, i * call.c.row + j * call.c.col, value);
}

}  // namespace mikpoly
