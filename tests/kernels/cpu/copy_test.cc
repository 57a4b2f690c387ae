// The copies that bring operands into the tiles' order and type: straight, transposing, strided.
#include <gtest/gtest.h>

#include "kernels/cpu/block_kernel.h"
#include "kernels/cpu/kernel_sets.h"
#include "tests/kernels/cpu/kernel_operands.h"

namespace mikpoly::cpu {
namespace {

using testing::Element;
using testing::Elements;

struct Layout {
  int64_t row;
  int64_t col;
};

// What a set's copies write: bytes of a kS8 set stand for either operand's type.
Element written(const KernelSet& set, DType from) {
  return set.math == Math::kS8 ? testing::element_of(from) : testing::types_of(set.math).b;
}

void check_copy(const KernelSet& set, DType from, Layout layout, int64_t rows, int64_t cols,
                int64_t padded) {
  const int64_t source = (rows - 1) * layout.row + (cols - 1) * layout.col + 1;
  const int64_t g = set.group;
  const int64_t groups = (rows + g - 1) / g;
  Elements src(testing::element_of(from), source);
  Elements dst(written(set, from), groups * padded * g);
  src.fill(source, 5);
  for (int64_t i = 0; i < groups * padded * g; ++i) dst.set(i, 7);
  set.copy[static_cast<std::size_t>(from)](
      {src.data(), layout.row, layout.col, rows, cols, padded, dst.data(), padded * g});
  for (int64_t r = 0; r < groups * g; ++r) {
    for (int64_t c = 0; c < padded; ++c) {
      const double want = c < cols && r < rows ? src.get(r * layout.row + c * layout.col) : 0;
      ASSERT_EQ(dst.get((r / g * padded + c) * g + r % g), want)
          << set.isa << " " << to_string(set.math) << " from " << mikpoly::to_string(from) << " "
          << rows << "x" << cols << " padded to " << padded << ", strides " << layout.row << " and "
          << layout.col << ", at (" << r << ", " << c << ")";
    }
  }
}

TEST(CopyTest, EveryTypeAndLayoutInsideItsOperands) {
  for (const KernelSet* set : usable_kernel_sets()) {
    for (int type = 0; type < kDTypes; ++type) {
      if (set->copy[type] == nullptr) continue;
      const auto from = static_cast<DType>(type);
      for (const int64_t rows : {1, 3, 15, 16, 17, 33, 66}) {
        for (const int64_t cols : {1, 2, 7, 14, 15, 16, 17, 31, 48}) {
          for (const int64_t pad : {0, 1, 5, 16}) {
            check_copy(*set, from, {cols, 1}, rows, cols, cols + pad);
            check_copy(*set, from, {1, rows}, rows, cols, cols + pad);
            check_copy(*set, from, {1, rows + 2}, rows, cols, cols + pad);
            check_copy(*set, from, {2 * cols, 2}, rows, cols, cols + pad);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST(CopyTest, EverySetTakesItsOwnType) {
  for (const KernelSet* set : usable_kernel_sets()) {
    bool any = false;
    for (const CopyFn copy : set->copy) any = any || copy != nullptr;
    EXPECT_TRUE(any) << set->isa << " " << to_string(set->math);
  }
}

TEST(CopyTest, PackedPanelsHoldEveryColumnOnce) {
  for (const KernelSet* set : usable_kernel_sets()) {
    for (int type = 0; type < kDTypes; ++type) {
      if (set->copy[type] == nullptr) continue;
      const auto from = static_cast<DType>(type);
      for (const int64_t n : {1, 15, 16, 17, 40}) {
        constexpr int64_t kDepth = 5;
        const int64_t g = set->group;
        const int64_t depth = (kDepth + g - 1) / g * g;
        Elements b(testing::element_of(from), kDepth * n);
        Elements packed(written(*set, from), packed_elements(kDepth, n, *set));
        b.fill(kDepth * n, 6);
        const int64_t panels = (n + set->lanes - 1) / set->lanes;
        pack_panels(*set, from, b.data(), n, 1, kDepth, n, 0, panels, packed.data());
        for (int64_t j = 0; j < panels * set->lanes; ++j) {
          for (int64_t k = 0; k < depth; ++k) {
            const int64_t at = j / set->lanes * depth * set->lanes +
                               (k / g * set->lanes + j % set->lanes) * g + k % g;
            ASSERT_EQ(packed.get(at), j < n && k < kDepth ? b.get(k * n + j) : 0)
                << set->isa << " " << to_string(set->math) << " n " << n << " column " << j;
          }
        }
      }
    }
  }
}

TEST(CopyTest, SumsOfPackedColumns) {
  for (const KernelSet* set : usable_kernel_sets()) {
    if (set->sum_columns == nullptr) continue;
    for (const int64_t n : {1, 16, 21}) {
      constexpr int64_t kDepth = 43;
      const int64_t panels = (n + set->lanes - 1) / set->lanes;
      Elements b(Element::kS8, kDepth * n);
      Elements packed(written(*set, DType::kS8), packed_elements(kDepth, n, *set));
      Elements sums(Element::kS32, panels * set->lanes);
      b.fill(kDepth * n, 6);
      pack_panels(*set, DType::kS8, b.data(), n, 1, kDepth, n, 0, panels, packed.data());
      sum_panels(*set, packed.data(), kDepth, 0, panels, static_cast<int32_t*>(sums.data()));
      for (int64_t j = 0; j < panels * set->lanes; ++j) {
        double want = 0;
        for (int64_t k = 0; j < n && k < kDepth; ++k) want += b.get(k * n + j);
        EXPECT_EQ(sums.get(j), want) << set->isa << " n " << n << " column " << j;
      }
    }
  }
}

}  // namespace
}  // namespace mikpoly::cpu
