#include "bench/measure/budget.h"

#include <gtest/gtest.h>

namespace mikpoly::bench {
namespace {

TEST(BudgetTest, ZeroIsNoLimit) {
  EXPECT_FALSE(Budget(0, {1, 1e9}).limited());
  EXPECT_TRUE(Budget(5, {1, 1e9}).limited());
}

TEST(BudgetTest, SparesAreSpreadEvenly) {
  const Budget budget(10, {1, 3, 1});
  EXPECT_DOUBLE_EQ(budget.share(0, 0), 1 + 5.0 / 3);
  EXPECT_DOUBLE_EQ(budget.share(1, 2), 3 + 4.0 / 2);
  EXPECT_DOUBLE_EQ(budget.share(2, 8), 1 + 1.0);
}

TEST(BudgetTest, GiantsAreSkippedFirst) {
  const Budget budget(10, {1, 50, 1, 8, 1});
  EXPECT_GT(budget.share(0, 0), 1);
  EXPECT_EQ(budget.share(1, 1), 0);
  EXPECT_GT(budget.share(2, 1), 1);
  EXPECT_EQ(budget.share(3, 2), 0);
  EXPECT_GT(budget.share(4, 2), 1);
}

TEST(BudgetTest, ALateRunSkipsTheDearestOfTheRest) {
  const Budget budget(10, {1, 4, 1, 1});
  EXPECT_GT(budget.share(1, 2), 4);
  EXPECT_EQ(budget.share(1, 5), 0);
  EXPECT_GT(budget.share(2, 5), 1);
  EXPECT_EQ(budget.share(3, 11), 0);
}

TEST(BudgetTest, SharesNeverExceedWhatIsLeft) {
  const std::vector<double> least = {0.5, 0.1, 2, 0.7, 0.3};
  const Budget budget(6, least);
  double elapsed = 0;
  for (std::size_t i = 0; i < least.size(); ++i) elapsed += budget.share(i, elapsed);
  EXPECT_LE(elapsed, 6 + 1e-12);
}

}  // namespace
}  // namespace mikpoly::bench
