// A weight matrix laid out once for the micro-kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "mikpoly/dtype.h"
#include "mikpoly/export.h"

namespace mikpoly {

// Made by Runtime::pack from B (k x n). The layout depends on k, n, the type and the backend's
// micro-kernels, never on m: one packed matrix serves every m and every thread count. Movable, not
// copyable; usable from many threads at once.
class MIKPOLY_EXPORT PackedMatrix {
 public:
  PackedMatrix();  // empty: valid only as the target of an assignment
  PackedMatrix(PackedMatrix&&) noexcept;
  PackedMatrix& operator=(PackedMatrix&&) noexcept;
  ~PackedMatrix();

  int64_t rows() const;  // k
  int64_t cols() const;  // n
  DType dtype() const;
  std::size_t bytes() const;  // memory held

  struct Impl;  // the backend's part
  explicit PackedMatrix(std::unique_ptr<Impl> impl);
  const Impl* impl() const { return impl_.get(); }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace mikpoly
