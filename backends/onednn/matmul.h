// A matmul primitive of one shape: what differs between oneDNN 2 and 3 is hidden here.
#pragma once

#include <cstdint>
#include <oneapi/dnnl/dnnl.hpp>

#include "core/backend/backend.h"

namespace mikpoly::onednn {

const dnnl::engine& cpu_engine();

// Everything that a primitive depends on.
struct MatmulKey {
  Shape shape;
  Strides a;
  dnnl::memory::desc b;  // plain or packed
  Strides c;
  float alpha = 1.0F;
  float beta = 0.0F;
  int threads = 1;

  friend bool operator==(const MatmulKey&, const MatmulKey&) = default;
};

struct Matmul {
  dnnl::matmul primitive;
  dnnl::memory::desc a;
  dnnl::memory::desc b;
  dnnl::memory::desc c;
  dnnl::memory::desc scratchpad;
};

dnnl::memory::desc matrix_desc(int64_t rows, int64_t cols, Strides strides);

// Throws dnnl::error.
Matmul make_matmul(const MatmulKey& key);

// The layout that oneDNN would choose for B (k x n) and m rows of A. Throws dnnl::error.
dnnl::memory::desc preferred_weights(int64_t m, int64_t k, int64_t n);

}  // namespace mikpoly::onednn
