#include "core/backend/backend.h"

#include "core/base/epilogue.h"

namespace mikpoly {
namespace {

void scale_row(float* row, int64_t cols, int64_t stride, float beta) {
  for (int64_t j = 0; j < cols; ++j) {
    float& value = row[j * stride];
    value = beta == 0.0F ? 0.0F : beta * value;
  }
}

void scale_plain(const GemmCall& call, const CallArgs& args) {
  auto* values = static_cast<float*>(args.c);
  // The smaller stride inside.
  const bool by_rows = call.c.col <= call.c.row;
  const int64_t rows = by_rows ? call.shape.m : call.shape.n;
  const int64_t cols = by_rows ? call.shape.n : call.shape.m;
  const int64_t row_stride = by_rows ? call.c.row : call.c.col;
  const int64_t col_stride = by_rows ? call.c.col : call.c.row;
  const auto beta = static_cast<float>(args.beta);
  for (int64_t i = 0; i < rows; ++i) scale_row(values + i * row_stride, cols, col_stride, beta);
}

}  // namespace

Status Backend::scale(const GemmCall& call, const CallArgs& args, Stream) const {
  if (args.plain()) {
    if (args.beta == 1) return {};
    if (call.c_type == DType::kF32) {
      scale_plain(call, args);
      return {};
    }
  }
  for (int64_t i = 0; i < call.shape.m; ++i) {
    for (int64_t j = 0; j < call.shape.n; ++j) {
      store_output(call, args, i, j, finished(call, args, i, j, 0));
    }
  }
  return {};
}

Status Backend::check_packed(const GemmCall&, const PackedMatrix::Impl& packed) const {
  const std::string name = info().name;
  if (packed.backend == name) return {};
  return {StatusCode::kInvalidArgument, "b_packed was made by the backend \"" + packed.backend +
                                            "\"; it must be made by this runtime's, \"" + name +
                                            "\""};
}

}  // namespace mikpoly
