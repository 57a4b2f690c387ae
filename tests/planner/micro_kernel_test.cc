#include "planner/micro_kernel.h"

#include <gtest/gtest.h>

namespace mikpoly {
namespace {

TEST(CostCurve, EmptyCurveCostsNothing) { EXPECT_EQ(CostCurve().at(10), 0); }

TEST(CostCurve, FirstAndLastPieceReachBeyondTheirEnds) {
  CostCurve curve;
  curve.count = 2;
  curve.pieces[0] = {4, 10, 2};
  curve.pieces[1] = {8, 18, 1};
  EXPECT_EQ(curve.at(1), 12);
  EXPECT_EQ(curve.at(7.5), 25);
  EXPECT_EQ(curve.at(8), 26);
  EXPECT_EQ(curve.at(1000), 1018);
}

TEST(CostCurve, NeverNegative) {
  CostCurve curve;
  curve.count = 1;
  curve.pieces[0] = {0, -5, 1};
  EXPECT_EQ(curve.at(2), 0);
  EXPECT_EQ(curve.at(7), 2);
}

}  // namespace
}  // namespace mikpoly
