// The fixture of the conformance suite: runs once for each target.
#pragma once

#include <gtest/gtest.h>

#include "tests/support/gemm_check.h"
#include "tests/support/targets.h"

namespace mikpoly::testing {

class Conformance : public ::testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    runtime_ = shared_runtime(GetParam());
    if (runtime_ == nullptr) GTEST_SKIP() << GetParam().name() << " can't run here";
  }
  Runtime& runtime() { return *runtime_; }
  bool is(const char* backend) const { return GetParam().backend == backend; }

 private:
  Runtime* runtime_ = nullptr;
};

inline std::string target_name(const ::testing::TestParamInfo<Target>& info) {
  return info.param.name();
}

}  // namespace mikpoly::testing
