#include "mikpoly/packed_matrix.h"

#include "core/backend/backend.h"

namespace mikpoly {

PackedMatrix::PackedMatrix() = default;
PackedMatrix::PackedMatrix(PackedMatrix&&) noexcept = default;
PackedMatrix& PackedMatrix::operator=(PackedMatrix&&) noexcept = default;
PackedMatrix::~PackedMatrix() = default;
PackedMatrix::PackedMatrix(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

int64_t PackedMatrix::rows() const { return impl_ == nullptr ? 0 : impl_->rows; }
int64_t PackedMatrix::cols() const { return impl_ == nullptr ? 0 : impl_->cols; }
DType PackedMatrix::dtype() const { return impl_ == nullptr ? DType::kF32 : impl_->dtype; }
std::size_t PackedMatrix::bytes() const { return impl_ == nullptr ? 0 : impl_->byte_count; }

}  // namespace mikpoly
