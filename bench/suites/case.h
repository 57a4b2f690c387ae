// One problem of a benchmark suite.
#pragma once

#include <cstdint>
#include <string>

namespace mikpoly::bench {

// C (m x n) = A (m x k) B (k x n), row-major. In the words of a Linear layer: m tokens, n output
// features, k input features.
struct Case {
  std::string suite;
  std::string op = "gemm";
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  int64_t batch = 1;
  std::string dtype;  // empty: what --dtype asks for
  // Letters of A and B as in BLAS: T means stored as its transpose. Empty: what --trans asks for.
  std::string trans;
  // Where it comes from (network and layer, line of a file); may be empty.
  std::string source;
  // Why this case can't be measured; empty where it can.
  std::string unsupported;
  int stratum = 0;  // samples take from every stratum in proportion

  double flop() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) *
           static_cast<double>(batch);
  }
  // f32 operands, each once.
  double bytes() const {
    const auto rows = static_cast<double>(m);
    const auto cols = static_cast<double>(n);
    const auto depth = static_cast<double>(k);
    return 4.0 * static_cast<double>(batch) * (rows * depth + depth * cols + rows * cols);
  }
};

}  // namespace mikpoly::bench
