// Runs one GEMM through a runtime and compares every element with a reference in double.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "mikpoly/mikpoly.h"
#include "tests/support/gemm_operand.h"

namespace mikpoly::testing {

struct GemmSpec {
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  MatrixLayout a;
  MatrixLayout b;
  MatrixLayout c;
  float alpha = 1;
  float beta = 0;
  int threads = 0;
  bool packed = false;  // B goes through Runtime::pack
  Fill fill = Fill::kIntegers;
  uint64_t seed = 1;
  GuardBuffer::Guard guard = GuardBuffer::Guard::kBehind;

  GemmProblem problem() const;
};

// The operands of a spec, filled; C with NaN where beta is 0.
struct GemmData {
  explicit GemmData(const GemmSpec& spec);

  Operand a;
  Operand b;
  Operand c;
  std::vector<float> c_before;  // row by row
};

// Runs; then each element must be the reference's, exactly for integers, else within tolerance, and
// padding of C untouched. A failure names the first bad coordinate, both values and the plan.
::testing::AssertionResult check_gemm(Runtime& runtime, const GemmSpec& spec);
// The same on operands of one's own making; c_before must tell C as it is.
::testing::AssertionResult check_gemm(Runtime& runtime, const GemmSpec& spec, const GemmData& data);

// Runs without comparing; C row by row.
Result<std::vector<float>> run_gemm(Runtime& runtime, const GemmSpec& spec, const GemmData& data);

std::string to_string(const GemmSpec& spec);
std::string plan_line(Runtime& runtime, const GemmProblem& problem);

}  // namespace mikpoly::testing
