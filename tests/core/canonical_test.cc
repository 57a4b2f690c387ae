#include "core/base/canonical.h"

#include <gtest/gtest.h>

#include <climits>
#include <functional>
#include <limits>

namespace mikpoly {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

GemmProblem good() {
  GemmProblem p;
  p.m = 4;
  p.n = 6;
  p.k = 5;
  return p;
}

struct BadProblem {
  const char* name;
  std::function<void(GemmProblem*)> spoil;
  StatusCode code;
  std::vector<const char*> message;  // parts it must hold
};

const BadProblem kBad[] = {
    {"NegativeM",
     [](GemmProblem* p) { p->m = -1; },
     StatusCode::kInvalidArgument,
     {"m is -1", "0 or more"}},
    {"NegativeN", [](GemmProblem* p) { p->n = -7; }, StatusCode::kInvalidArgument, {"n is -7"}},
    {"NegativeK",
     [](GemmProblem* p) { p->k = INT64_MIN; },
     StatusCode::kInvalidArgument,
     {"k is -9223372036854775808"}},
    {"UnknownType",
     [](GemmProblem* p) { p->b_type = static_cast<DType>(42); },
     StatusCode::kInvalidArgument,
     {"b_type is 42"}},
    {"IntegersTimesFloats",
     [](GemmProblem* p) { p->a_type = DType::kS8; },
     StatusCode::kUnsupported,
     {"s8", "f32"}},
    {"DoublePrecision",
     [](GemmProblem* p) { p->c_type = DType::kF64; },
     StatusCode::kUnsupported,
     {"f64"}},
    {"ShortLdA",
     [](GemmProblem* p) { p->a = MatrixLayout::row_major(4); },
     StatusCode::kInvalidArgument,
     {"a.ld is 4", "at least 5"}},
    {"ShortLdATransposed",
     [](GemmProblem* p) { p->a = MatrixLayout::transposed(3); },
     StatusCode::kInvalidArgument,
     {"a.ld is 3", "at least 4"}},
    {"ShortLdB",
     [](GemmProblem* p) { p->b = MatrixLayout::row_major(5); },
     StatusCode::kInvalidArgument,
     {"b.ld is 5", "at least 6"}},
    {"ShortLdC",
     [](GemmProblem* p) { p->c = MatrixLayout::row_major(1); },
     StatusCode::kInvalidArgument,
     {"c.ld is 1", "at least 6"}},
    {"NegativeLd",
     [](GemmProblem* p) { p->c = MatrixLayout::row_major(-6); },
     StatusCode::kInvalidArgument,
     {"c.ld is -6"}},
    {"NegativeRowStride",
     [](GemmProblem* p) { p->a = MatrixLayout::strided(-5, 1); },
     StatusCode::kInvalidArgument,
     {"a.row_stride is -5", "0 or more"}},
    {"NegativeColStride",
     [](GemmProblem* p) { p->b = MatrixLayout::strided(6, -1); },
     StatusCode::kInvalidArgument,
     {"b.col_stride is -1"}},
    {"BroadcastC",
     [](GemmProblem* p) { p->c = MatrixLayout::strided(0, 1); },
     StatusCode::kInvalidArgument,
     {"c.row_stride is 0"}},
    {"BroadcastCColumns",
     [](GemmProblem* p) { p->c = MatrixLayout::strided(6, 0); },
     StatusCode::kInvalidArgument,
     {"col_stride is 0"}},
    {"OverlappingC",
     [](GemmProblem* p) { p->c = MatrixLayout::strided(5, 1); },
     StatusCode::kInvalidArgument,
     {"c.row_stride is 5", "col_stride is 1"}},
    {"OverlappingCByMultiples",
     [](GemmProblem* p) { p->c = MatrixLayout::strided(4, 6); },
     StatusCode::kInvalidArgument,
     {"c.row_stride is 4"}},
    {"PackedA",
     [](GemmProblem* p) { p->a = MatrixLayout::packed(); },
     StatusCode::kInvalidArgument,
     {"a.kind", "B may be kPacked"}},
    {"PackedC",
     [](GemmProblem* p) { p->c = MatrixLayout::packed(); },
     StatusCode::kInvalidArgument,
     {"c.kind"}},
    {"UnknownKind",
     [](GemmProblem* p) { p->b.kind = static_cast<MatrixLayout::Kind>(9); },
     StatusCode::kInvalidArgument,
     {"b.kind is 9"}},
    {"HugeM",
     [](GemmProblem* p) { p->m = kMost; },
     StatusCode::kInvalidArgument,
     {"a of 9223372036854775807 x 5", "address space"}},
    {"HugeLd",
     [](GemmProblem* p) { p->b = MatrixLayout::row_major(kMost / 4); },
     StatusCode::kInvalidArgument,
     {"b of 5 x 6", "address space"}},
    {"BytesBeyondInt64",
     [](GemmProblem* p) { p->m = p->n = int64_t{1} << 31; },
     StatusCode::kInvalidArgument,
     {"c of 2147483648 x 2147483648", "address space"}},
    {"HugeBroadcast",
     [](GemmProblem* p) {
       p->m = p->k = int64_t{1} << 40;
       p->n = 1;
       p->a = MatrixLayout::strided(0, 0);
     },
     StatusCode::kInvalidArgument,
     {"a of", "address space"}},
    {"HugePackedB",
     [](GemmProblem* p) {
       p->n = p->k = int64_t{1} << 31;
       p->m = 1;
       p->b = MatrixLayout::packed();
     },
     StatusCode::kInvalidArgument,
     {"b of", "address space"}},
};

class Refused : public ::testing::TestWithParam<BadProblem> {};
INSTANTIATE_TEST_SUITE_P(Table, Refused, ::testing::ValuesIn(kBad),
                         [](const auto& row) { return row.param.name; });

TEST_P(Refused, WithAMessageThatNamesArgumentAndValue) {
  GemmProblem problem = good();
  ASSERT_TRUE(canonicalize(problem).ok());
  GetParam().spoil(&problem);
  const Result<CanonicalGemm> result = canonicalize(problem);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), GetParam().code);
  for (const char* part : GetParam().message) {
    EXPECT_NE(result.status().message().find(part), std::string::npos)
        << "\"" << result.status().message() << "\" lacks \"" << part << "\"";
  }
}

GemmCall call_of(const GemmProblem& problem) {
  const Result<CanonicalGemm> result = canonicalize(problem);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? result.value().call : GemmCall{};
}

TEST(Canonical, TightAndPaddedStrides) {
  GemmProblem p = good();
  EXPECT_EQ(call_of(p).a, (Strides{5, 1}));
  EXPECT_EQ(call_of(p).b, (Strides{6, 1}));
  EXPECT_EQ(call_of(p).c, (Strides{6, 1}));
  p.a = MatrixLayout::transposed();
  p.b = MatrixLayout::transposed(9);
  p.c = MatrixLayout::row_major(11);
  EXPECT_EQ(call_of(p).a, (Strides{1, 4}));
  EXPECT_EQ(call_of(p).b, (Strides{1, 9}));
  EXPECT_EQ(call_of(p).c, (Strides{11, 1}));
}

TEST(Canonical, EqualFormsOfOneLayoutAreOneCall) {
  GemmProblem tight = good();
  GemmProblem spelled = good();
  spelled.a = MatrixLayout::strided(5, 1);
  spelled.b = MatrixLayout::row_major(6);
  spelled.c = MatrixLayout::strided(6, 1);
  EXPECT_EQ(call_of(tight), call_of(spelled));
}

TEST(Canonical, StridesOfSizeOneDimensionsDoNotMatter) {
  for (const int64_t odd : {int64_t{0}, int64_t{3}, int64_t{-2}, kMost, INT64_MIN}) {
    GemmProblem p = good();
    p.m = 1;
    p.a = MatrixLayout::strided(odd, 1);
    p.c = MatrixLayout::strided(odd, 1);
    EXPECT_EQ(call_of(p).a, (Strides{5, 1})) << odd;
    EXPECT_EQ(call_of(p).c, (Strides{6, 1})) << odd;
  }
}

TEST(Canonical, ColumnMajorOutputBecomesTheTransposedProblem) {
  GemmProblem p = good();
  p.c = MatrixLayout::transposed(8);
  const Result<CanonicalGemm> result = canonicalize(p);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.value().swapped);
  const GemmCall& call = result.value().call;
  EXPECT_EQ(call.shape, (Shape{6, 4, 5}));
  EXPECT_EQ(call.a, (Strides{1, 6}));  // B, transposed
  EXPECT_EQ(call.b, (Strides{1, 5}));  // A, transposed
  EXPECT_EQ(call.c, (Strides{8, 1}));
}

TEST(Canonical, SwappedOuterProductIsCanonicalAgain) {
  GemmProblem p = good();
  p.k = 1;
  p.c = MatrixLayout::transposed();
  const GemmCall call = call_of(p);
  EXPECT_EQ(call.a.col, 1);  // 6 x 1
  EXPECT_EQ(call.b.row, 4);  // 1 x 4
}

TEST(Canonical, ZeroSizesAndZeroLdPass) {
  for (int bits = 0; bits < 8; ++bits) {
    for (const MatrixLayout& layout :
         {MatrixLayout::row_major(), MatrixLayout::transposed(), MatrixLayout::strided(0, 1)}) {
      GemmProblem p = good();
      if ((bits & 1) != 0) p.m = 0;
      if ((bits & 2) != 0) p.n = 0;
      if ((bits & 4) != 0) p.k = 0;
      p.a = p.b = layout;
      if (p.m == 0 || p.n == 0) p.c = layout;
      EXPECT_TRUE(canonicalize(p).ok()) << bits << ": " << canonicalize(p).status().message();
    }
  }
}

TEST(Canonical, LargestThatFits) {
  GemmProblem p = good();
  p.m = kMost / 4 / 6;  // C is the largest operand
  EXPECT_TRUE(canonicalize(p).ok());
  ++p.m;
  EXPECT_FALSE(canonicalize(p).ok());
}

TEST(Canonical, InterleavedOutputDoesNotOverlap) {
  GemmProblem p = good();
  p.m = 2;
  p.n = 3;
  p.c = MatrixLayout::strided(3, 2);
  EXPECT_TRUE(canonicalize(p).ok());
}

}  // namespace
}  // namespace mikpoly
