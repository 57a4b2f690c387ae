// Block kernels: names, and blocks of every operand layout against sums in double.
#include "kernels/cpu/block_kernel.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "backends/cpu/candidates.h"
#include "kernels/cpu/kernel_sets.h"
#include "tests/kernels/cpu/kernel_operands.h"

namespace mikpoly::cpu {
namespace {

using testing::Element;
using testing::Elements;

struct Types {
  DType a;
  DType b;
};
constexpr Types kServed[] = {{DType::kF32, DType::kF32},   {DType::kF64, DType::kF64},
                             {DType::kBF16, DType::kBF16}, {DType::kF16, DType::kF16},
                             {DType::kBF16, DType::kS8},   {DType::kF32, DType::kBF16},
                             {DType::kU8, DType::kS8},     {DType::kS8, DType::kS8}};

TEST(BlockKernelTest, NamesAreUniqueAndReadBack) {
  for (const KernelSet* f32 : usable_f32_sets()) {
    for (const Types& types : kServed) {
      const Formats formats = formats_for(*f32, types.a, types.b);
      ASSERT_NE(formats.set, nullptr);
      for (int i = 0; i < kKinds; ++i) {
        std::set<std::string> names;
        for (const BlockKernel& kernel : candidates(Kind::of(i), formats, CacheSizes{})) {
          const std::string name = name_of(kernel, *formats.set);
          EXPECT_TRUE(names.insert(name).second) << name;
          BlockKernel read;
          ASSERT_TRUE(parse_name(name, *formats.set, &read)) << name;
          EXPECT_EQ(read, kernel) << name;
        }
        EXPECT_FALSE(names.empty()) << catalog_name(types.a, types.b, Kind::of(i));
      }
    }
  }
}

TEST(BlockKernelTest, RefusesNamesThatAreNoKernel) {
  const KernelSet& set = *generic_f32();
  BlockKernel kernel;
  for (const char* name : {"", "gemm_f32_f32_f32_", "gemm_f32_f32_f32_6x8x256_6x8x1_generic_packed",
                           "gemm_f32_f32_f32_6x8x256_6x8x1_avx512_packed_adirect",
                           "gemm_f32_f32_f32_7x8x256_6x8x1_generic_packed_adirect",
                           "gemm_f32_f32_f32_99x8x256_99x8x1_generic_packed_adirect",
                           "gemm_f32_f32_f32_6x8x256_6x8x1_generic_packed_adirect ",
                           "gemm_f64_f64_f64_6x8x256_6x8x1_generic_packed_adirect",
                           "gemm_f32_f32_f32_-6x8x256_6x8x1_generic_packed_adirect"}) {
    EXPECT_FALSE(parse_name(name, set, &kernel)) << name;
  }
}

// The operands of one block, laid out as the kind says and ending at guard pages.
class BlockOperands {
 public:
  BlockOperands(const Formats& formats, Types types, Kind kind, int64_t rows, int64_t cols,
                int64_t depth)
      : formats_(formats),
        types_(types),
        kind_(kind),
        rows_(rows),
        cols_(cols),
        depth_(depth),
        a_(testing::element_of(types.a), a_count()),
        b_(testing::element_of(types.b), b_count()),
        packed_(formats.b_in_place && formats.set->math != Math::kS8
                    ? testing::types_of(formats.set->math).b
                    : testing::element_of(types.b),
                packed_elements(depth, cols, *formats.set)) {
    a_.fill(a_count(), 7);
    b_.fill(b_count(), 8);
    set_strides();
    if (kind.b == BLayout::kPacked) pack();
  }

  const Operands& operands() const { return operands_; }

  // Of the tiles' sums: they read s8 as u8, 128 higher.
  double product(int64_t i, int64_t j) const {
    const bool shifted = formats_.set->math == Math::kS8 && types_.a == DType::kS8;
    double sum = 0;
    for (int64_t k = 0; k < depth_; ++k) {
      const double b = kind_.b == BLayout::kPacked
                           ? b_.get(k * cols_ + j)
                           : b_.get(k * operands_.b_k + j * operands_.b_col);
      const double a = a_.get(i * operands_.a_row + k * operands_.a_k);
      sum += (a + (shifted ? 128 : 0)) * b;
    }
    return sum;
  }

 private:
  int64_t a_count() const {
    return kind_.a == ALayout::kStrided ? 6 * rows_ * depth_ : rows_ * depth_;
  }
  int64_t b_count() const {
    return kind_.b == BLayout::kStrided ? 6 * cols_ * depth_ : cols_ * depth_;
  }

  void pack() {
    const KernelSet& set = *formats_.set;
    const int64_t panels = (cols_ + set.lanes - 1) / set.lanes;
    if (formats_.b_in_place) {
      pack_panels(set, types_.b, b_.data(), cols_, 1, depth_, cols_, 0, panels, packed_.data());
    } else {
      pack_stored(set.lanes, b_.bytes(), b_.data(), cols_, 1, depth_, cols_, 0, panels,
                  packed_.data());
    }
  }

  void set_strides() {
    const bool packed = kind_.b == BLayout::kPacked;
    operands_.a = a_.data();
    operands_.b = packed ? packed_.data() : b_.data();
    operands_.a_type = types_.a;
    operands_.b_type = types_.b;
    operands_.packed_depth = packed ? depth_ : 0;
    operands_.a_rows = rows_;
    operands_.a_row = along_k(kind_.a) ? depth_ : kind_.a == ALayout::kAlongM ? 1 : 3;
    operands_.a_k = along_k(kind_.a) ? 1 : kind_.a == ALayout::kAlongM ? rows_ : 6 * rows_ - 3;
    operands_.b_k = kind_.b == BLayout::kColumns ? 1 : kind_.b == BLayout::kStrided ? 3 : cols_;
    operands_.b_col = kind_.b == BLayout::kColumns   ? depth_
                      : kind_.b == BLayout::kStrided ? 6 * depth_ - 3
                                                     : 1;
  }

  const Formats& formats_;
  Types types_;
  Kind kind_;
  int64_t rows_, cols_, depth_;
  Elements a_, b_, packed_;
  Operands operands_;
};

void check_block(const Formats& formats, Types types, Kind kind, const BlockKernel& kernel,
                 int64_t rows, int64_t cols, int64_t depth, double beta) {
  const KernelSet& set = *formats.set;
  BlockOperands operands(formats, types, kind, rows, cols, depth);
  const int64_t c_row = cols + 1;
  const int64_t count = (rows - 1) * c_row + cols;
  Elements c(testing::types_of(set.math).sum, count);
  const bool nan = beta == 0 && set.sum_columns == nullptr;
  for (int64_t i = 0; i < count; ++i) {
    c.set(i, nan ? std::numeric_limits<double>::quiet_NaN() : 2.0);
  }
  Elements scratch(Element::kU8, scratch_bytes(kernel, set, false) + 64);
  const auto address = reinterpret_cast<uintptr_t>(scratch.data());
  run_block(kernel, set, operands.operands(), {0, 0, rows, cols, 0, depth},
            {c.data(), c_row, 1.0, beta, nullptr},
            static_cast<char*>(scratch.data()) + (64 - address % 64) % 64);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      ASSERT_EQ(c.get(i * c_row + j), operands.product(i, j) + (beta == 0 ? 0.0 : 2.0 * beta))
          << catalog_name(types.a, types.b, kind) << " " << name_of(kernel, set) << " " << rows
          << "x" << cols << "x" << depth << " at (" << i << ", " << j << ")";
    }
  }
}

class BlocksOfTypes : public ::testing::TestWithParam<Types> {};
INSTANTIATE_TEST_SUITE_P(Served, BlocksOfTypes, ::testing::ValuesIn(kServed), [](const auto& row) {
  return std::string(mikpoly::to_string(row.param.a)) + "_" + mikpoly::to_string(row.param.b);
});

TEST_P(BlocksOfTypes, SizesAroundTheBlockOfEveryLayout) {
  for (const KernelSet* f32 : usable_f32_sets()) {
    const Formats formats = formats_for(*f32, GetParam().a, GetParam().b);
    for (int i = 0; i < kKinds; ++i) {
      const Kind kind = Kind::of(i);
      for (BlockKernel kernel : candidates(kind, formats, CacheSizes{})) {
        if (kernel.um > 30 || kernel.un > 200 || kernel.uk != 256) continue;
        kernel.uk = 24;  // several K steps at little cost
        for (const int64_t rows : {1, kernel.um - 1, kernel.um}) {
          for (const int64_t cols : {1, kernel.un - 1, kernel.un}) {
            if (rows < 1 || cols < 1) continue;
            check_block(formats, GetParam(), kind, kernel, rows, cols, 53, 0);
            check_block(formats, GetParam(), kind, kernel, rows, cols, 23, 1);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace mikpoly::cpu
