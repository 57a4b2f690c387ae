// The copies that bring operands into the tiles' order: straight, transposing, strided.
#include <gtest/gtest.h>

#include "kernels/cpu/block_kernel.h"
#include "kernels/cpu/kernel_sets.h"
#include "tests/kernels/cpu/kernel_operands.h"
#include "tests/support/guarded_floats.h"

namespace mikpoly::cpu {
namespace {

using testing::GuardedFloats;

struct Layout {
  int64_t row;
  int64_t col;
};

void check_copy(const KernelSet& set, Layout layout, int64_t rows, int64_t cols, int64_t padded) {
  const int64_t source = (rows - 1) * layout.row + (cols - 1) * layout.col + 1;
  GuardedFloats src(source);
  GuardedFloats dst(rows * padded);
  testing::fill_small(src.data(), source, 5);
  for (int64_t i = 0; i < rows * padded; ++i) dst[i] = 77.0F;
  set.copy(src.data(), layout.row, layout.col, rows, cols, padded, dst.data(), padded);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < padded; ++c) {
      const float want = c < cols ? src[r * layout.row + c * layout.col] : 0.0F;
      ASSERT_EQ(dst[r * padded + c], want)
          << set.isa << " " << rows << "x" << cols << " padded to " << padded << ", strides "
          << layout.row << " and " << layout.col << ", at (" << r << ", " << c << ")";
    }
  }
}

TEST(CopyTest, EveryLayoutInsideItsOperands) {
  for (const KernelSet* set : usable_kernel_sets()) {
    for (const int64_t rows : {1, 3, 15, 16, 17, 33}) {
      for (const int64_t cols : {1, 2, 7, 14, 15, 16, 17, 31, 48}) {
        for (const int64_t pad : {0, 1, 5, 16}) {
          check_copy(*set, {cols, 1}, rows, cols, cols + pad);
          check_copy(*set, {1, rows}, rows, cols, cols + pad);
          check_copy(*set, {1, rows + 2}, rows, cols, cols + pad);
          check_copy(*set, {2 * cols, 2}, rows, cols, cols + pad);
        }
      }
    }
  }
}

TEST(CopyTest, PackedPanelsHoldEveryColumnOnce) {
  for (const KernelSet* set : usable_kernel_sets()) {
    for (const int64_t n : {1, 15, 16, 17, 40}) {
      constexpr int64_t kDepth = 5;
      const int64_t floats = packed_floats(kDepth, n, *set);
      GuardedFloats b(kDepth * n);
      GuardedFloats packed(floats);
      testing::fill_small(b.data(), kDepth * n, 6);
      const int64_t panels = (n + set->lanes - 1) / set->lanes;
      pack_panels(*set, b.data(), n, 1, kDepth, n, 0, panels, packed.data());
      for (int64_t j = 0; j < panels * set->lanes; ++j) {
        for (int64_t k = 0; k < kDepth; ++k) {
          const int64_t panel = j / set->lanes;
          const float got = packed[panel * kDepth * set->lanes + k * set->lanes + j % set->lanes];
          ASSERT_EQ(got, j < n ? b[k * n + j] : 0.0F) << set->isa << " n " << n << " column " << j;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mikpoly::cpu
