// What happens to a product on its way into C, without a second pass over memory.
#pragma once

#include <cstdint>

#include "mikpoly/dtype.h"
#include "mikpoly/problem.h"

namespace mikpoly {

// One step, applied to every element x of alpha * A B + beta * C in the order of the caller's list
// (GemmArgs::epilogue, up to kMaxEpilogueSteps). Steps compute in f32 (f64 where C is f64); C's
// type is met once, at the end, with rounding to nearest even and saturation.
struct EpilogueStep {
  enum class Kind {
    kAdd,       // x + operand: bias, residual
    kMultiply,  // x * operand: scale, gate
    kRelu,      // max(x, 0); NaN stays NaN
    kClip,      // min(max(x, low), high); NaN stays NaN
    kGeluErf,   // x Phi(x), Phi the normal distribution: GELU as defined
    kGeluTanh,  // its approximation by tanh
    kSilu,      // x sigmoid(x)
    kSigmoid,   // 1 / (1 + exp(-x))
    kTanh,
    kHardSwish,  // x min(max(x + 3, 0), 6) / 6
  };
  // What the operand of kAdd and kMultiply holds.
  enum class Extent {
    kScalar,     // one value
    kPerRow,     // m values, one for each row of C
    kPerColumn,  // n values, one for each column of C: a layer's bias
    kMatrix,     // m x n values, laid out as `layout` says
  };

  Kind kind = Kind::kRelu;
  Extent extent = Extent::kScalar;
  DType type = DType::kF32;       // of the operand: f32, bf16 or f16; f64 where C is
  const void* operand = nullptr;  // null where the kind takes none
  MatrixLayout layout;  // kMatrix only; not packed. It may be C itself, element by element
  float low = 0;        // kClip only
  float high = 0;

  static EpilogueStep activation(Kind kind) { return {.kind = kind, .layout = {}}; }
  static EpilogueStep clip(float low, float high) {
    return {.kind = Kind::kClip, .layout = {}, .low = low, .high = high};
  }
  // A vector added to every row of C: n values.
  static EpilogueStep bias(const void* values, DType type = DType::kF32) {
    return {.kind = Kind::kAdd,
            .extent = Extent::kPerColumn,
            .type = type,
            .operand = values,
            .layout = {}};
  }
  static EpilogueStep add(const void* matrix, DType type = DType::kF32,
                          const MatrixLayout& layout = {}) {
    return {.kind = Kind::kAdd,
            .extent = Extent::kMatrix,
            .type = type,
            .operand = matrix,
            .layout = layout};
  }
  static EpilogueStep multiply(const void* matrix, DType type = DType::kF32,
                               const MatrixLayout& layout = {}) {
    return {.kind = Kind::kMultiply,
            .extent = Extent::kMatrix,
            .type = type,
            .operand = matrix,
            .layout = layout};
  }
};
inline constexpr int kMaxEpilogueSteps = 4;

// What 8-bit values stand for: real = scale * (value - zero_point). A product of s8 or u8 with s8
// is summed exactly in s32; the real product, times alpha, then goes through beta and the epilogue,
// and into an 8-bit C as round(real / scale) + zero_point, saturated (NaN gives the lowest value).
struct Quantization {
  struct Operand {
    const float* scale = nullptr;         // null: 1
    const int32_t* zero_point = nullptr;  // null: 0
    // One value for each row of A, each column of B, instead of one for all. Not for C.
    bool scale_per_channel = false;
    bool zero_point_per_channel = false;
  };
  Operand a;
  Operand b;
  Operand c;
};

}  // namespace mikpoly
