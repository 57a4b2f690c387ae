#include "bench/report/statistics.h"

#include <gtest/gtest.h>

namespace mikpoly::bench {
namespace {

TEST(StatisticsTest, GeomeanOfKnownValues) {
  EXPECT_DOUBLE_EQ(geomean(std::vector<double>{2, 8}), 4);
  EXPECT_NEAR(geomean(std::vector<double>{1, 10, 100}), 10, 1e-12);
  EXPECT_DOUBLE_EQ(geomean(std::vector<double>{}), 0);
}

TEST(StatisticsTest, GeomeanOfInverseIsInverse) {
  const double ratio = geomean(std::vector<double>{0.5, 1.25, 3});
  EXPECT_NEAR(geomean(std::vector<double>{2, 0.8, 1.0 / 3}), 1 / ratio, 1e-12);
}

TEST(StatisticsTest, PercentileInterpolatesBetweenRanks) {
  const std::vector<double> values = {40, 10, 30, 20};
  EXPECT_DOUBLE_EQ(percentile(values, 0), 10);
  EXPECT_DOUBLE_EQ(percentile(values, 1), 40);
  EXPECT_DOUBLE_EQ(percentile(values, 0.5), 25);
  EXPECT_DOUBLE_EQ(percentile(values, 0.95), 38.5);
  EXPECT_DOUBLE_EQ(percentile({7}, 0.3), 7);
  EXPECT_DOUBLE_EQ(percentile({}, 0.5), 0);
}

TEST(StatisticsTest, SummaryCountsSharesStrictly) {
  const RatioSummary summary = summarize({0.90, 0.95, 0.97, 0.98, 1.0, 1.02, 1.03, 2.0});
  EXPECT_EQ(summary.count, 8U);
  EXPECT_DOUBLE_EQ(summary.min, 0.90);
  EXPECT_DOUBLE_EQ(summary.below_095, 1.0 / 8);
  EXPECT_DOUBLE_EQ(summary.below_098, 3.0 / 8);
  EXPECT_DOUBLE_EQ(summary.above_102, 2.0 / 8);
  EXPECT_DOUBLE_EQ(summary.p50, 0.99);
}

TEST(StatisticsTest, EmptySummaryIsZero) {
  const RatioSummary summary = summarize({});
  EXPECT_EQ(summary.count, 0U);
  EXPECT_EQ(summary.geomean, 0);
  EXPECT_EQ(summary.above_102, 0);
}

TEST(StatisticsTest, SmallestComesFirst) {
  const std::vector<double> values = {3, 1, 2, 1};
  EXPECT_EQ(smallest(values, 3), (std::vector<std::size_t>{1, 3, 2}));
  EXPECT_EQ(smallest(values, 9).size(), 4U);
}

}  // namespace
}  // namespace mikpoly::bench
