// Block kernels: names, and blocks of every operand layout against sums in double.
#include "kernels/cpu/block_kernel.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "backends/cpu/candidates.h"
#include "kernels/cpu/kernel_sets.h"
#include "tests/kernels/cpu/kernel_operands.h"
#include "tests/support/guarded_floats.h"

namespace mikpoly::cpu {
namespace {

using testing::GuardedFloats;

TEST(BlockKernelTest, NamesAreUniqueAndReadBack) {
  for (const KernelSet* set : usable_kernel_sets()) {
    for (int i = 0; i < kKinds; ++i) {
      std::set<std::string> names;
      for (const BlockKernel& kernel : candidates(Kind::of(i), *set, CacheSizes{})) {
        const std::string name = name_of(kernel, *set);
        EXPECT_TRUE(names.insert(name).second) << name;
        BlockKernel read;
        ASSERT_TRUE(parse_name(name, *set, &read)) << name;
        EXPECT_EQ(read, kernel) << name;
      }
      EXPECT_FALSE(names.empty()) << to_string(Kind::of(i));
    }
  }
}

TEST(BlockKernelTest, RefusesNamesThatAreNoKernel) {
  const KernelSet& set = *generic_kernels();
  BlockKernel kernel;
  for (const char* name : {"", "gemm_f32_f32_f32_", "gemm_f32_f32_f32_6x8x256_6x8x1_generic_packed",
                           "gemm_f32_f32_f32_6x8x256_6x8x1_avx512_packed_adirect",
                           "gemm_f32_f32_f32_7x8x256_6x8x1_generic_packed_adirect",
                           "gemm_f32_f32_f32_99x8x256_99x8x1_generic_packed_adirect",
                           "gemm_f32_f32_f32_6x8x256_6x8x1_generic_packed_adirect ",
                           "gemm_f32_f32_f32_-6x8x256_6x8x1_generic_packed_adirect"}) {
    EXPECT_FALSE(parse_name(name, set, &kernel)) << name;
  }
}

// The operands of one block, laid out as the kind says and ending at guard pages.
class BlockOperands {
 public:
  BlockOperands(const KernelSet& set, Kind kind, int64_t rows, int64_t cols, int64_t depth)
      : set_(set),
        kind_(kind),
        rows_(rows),
        cols_(cols),
        depth_(depth),
        a_(a_floats()),
        b_(b_floats()),
        packed_(packed_floats(depth, cols, set)) {
    testing::fill_small(a_.data(), a_floats(), 7);
    testing::fill_small(b_.data(), b_floats(), 8);
    set_strides();
    const int64_t panels = (cols + set.lanes - 1) / set.lanes;
    if (kind.b == BLayout::kPacked) {
      pack_panels(set, b_.data(), cols, 1, depth, cols, 0, panels, packed_.data());
    }
  }

  const Operands& operands() const { return operands_; }

  double product(int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t k = 0; k < depth_; ++k) {
      const float b = kind_.b == BLayout::kPacked ? b_[k * cols_ + j]
                                                  : b_[k * operands_.b_k + j * operands_.b_col];
      sum += double{a_[i * operands_.a_row + k * operands_.a_k]} * b;
    }
    return sum;
  }

 private:
  int64_t a_floats() const {
    return kind_.a == ALayout::kStrided ? 6 * rows_ * depth_ : rows_ * depth_;
  }
  int64_t b_floats() const {
    return kind_.b == BLayout::kStrided ? 6 * cols_ * depth_ : cols_ * depth_;
  }

  void set_strides() {
    operands_.a = a_.data();
    operands_.b = kind_.b == BLayout::kPacked ? packed_.data() : b_.data();
    operands_.packed_depth = depth_;
    operands_.a_row = along_k(kind_.a) ? depth_ : kind_.a == ALayout::kAlongM ? 1 : 3;
    operands_.a_k = along_k(kind_.a) ? 1 : kind_.a == ALayout::kAlongM ? rows_ : 6 * rows_ - 3;
    operands_.b_k = kind_.b == BLayout::kColumns ? 1 : kind_.b == BLayout::kStrided ? 3 : cols_;
    operands_.b_col = kind_.b == BLayout::kColumns   ? depth_
                      : kind_.b == BLayout::kStrided ? 6 * depth_ - 3
                                                     : 1;
  }

  const KernelSet& set_;
  Kind kind_;
  int64_t rows_, cols_, depth_;
  GuardedFloats a_, b_, packed_;
  Operands operands_;
};

void check_block(const KernelSet& set, Kind kind, const BlockKernel& kernel, int64_t rows,
                 int64_t cols, int64_t depth, float beta) {
  BlockOperands operands(set, kind, rows, cols, depth);
  const int64_t c_row = cols + 1;
  GuardedFloats c((rows - 1) * c_row + cols);
  for (int64_t i = 0; i < (rows - 1) * c_row + cols; ++i) {
    c[i] = beta == 0 ? std::numeric_limits<float>::quiet_NaN() : 2.0F;
  }
  GuardedFloats scratch(scratch_floats(kernel, set) + 1);
  run_block(kernel, set, operands.operands(), {0, 0, rows, cols, 0, depth},
            {c.data(), c_row, 1.0F, beta}, scratch.data());
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      ASSERT_EQ(c[i * c_row + j], operands.product(i, j) + (beta == 0 ? 0.0 : 2.0 * beta))
          << to_string(kind) << " " << name_of(kernel, set) << " " << rows << "x" << cols << "x"
          << depth << " at (" << i << ", " << j << ")";
    }
  }
}

TEST(BlockKernelTest, SizesAroundTheBlockOfEveryLayout) {
  for (const KernelSet* set : usable_kernel_sets()) {
    for (int i = 0; i < kKinds; ++i) {
      const Kind kind = Kind::of(i);
      for (BlockKernel kernel : candidates(kind, *set, CacheSizes{})) {
        if (kernel.um > 30 || kernel.un > 200 || kernel.uk != 256) continue;
        kernel.uk = 24;  // several K steps at little cost
        for (const int64_t rows : {1, kernel.um - 1, kernel.um}) {
          for (const int64_t cols : {1, kernel.un - 1, kernel.un}) {
            if (rows < 1 || cols < 1) continue;
            check_block(*set, kind, kernel, rows, cols, 53, 0.0F);
            check_block(*set, kind, kernel, rows, cols, 23, 1.0F);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace mikpoly::cpu
