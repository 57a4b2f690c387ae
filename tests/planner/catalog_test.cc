#include "planner/catalog.h"

#include <gtest/gtest.h>

#include "tests/support/fake_device.h"

namespace mikpoly {
namespace {

using testing::padded_kernel;

TEST(Catalog, FindsByName) {
  const Catalog catalog = testing::two_core_catalog();
  for (size_t i = 0; i < catalog.kernels().size(); ++i) {
    EXPECT_EQ(catalog.find(catalog.kernels()[i].name), static_cast<KernelId>(i));
  }
  EXPECT_EQ(catalog.find("no-such"), -1);
}

TEST(Catalog, RanksByRateAndDropsTheDominated) {
  MicroKernel slower = padded_kernel(32, 32, 32, 10, 120);
  slower.name = "slower";
  MicroKernel cheap_start = padded_kernel(32, 32, 32, 1, 130);
  cheap_start.name = "cheap_start";
  const Catalog catalog(
      {padded_kernel(16, 16, 32, 10, 40), padded_kernel(32, 32, 32, 10, 100), slower, cheap_start},
      testing::two_core_device(), {});
  ASSERT_EQ(catalog.ranked().size(), 3u);
  EXPECT_EQ(catalog.ranked()[0].id, 1);
  EXPECT_EQ(catalog.ranked()[1].id, 3);  // dearer in the long run, but not for one short step
  EXPECT_EQ(catalog.ranked()[2].id, 0);
}

TEST(Catalog, OfTwoEqualKernelsTheEarlierStays) {
  const Catalog catalog({padded_kernel(32, 32, 32, 10, 100), padded_kernel(32, 32, 32, 10, 100)},
                        testing::two_core_device(), {});
  ASSERT_EQ(catalog.ranked().size(), 1u);
  EXPECT_EQ(catalog.ranked()[0].id, 0);
}

TEST(Axis, CountsAreExact) {
  for (const int block : {1, 3, 7, 16, 48, 96, 255}) {
    const Axis axis(block, 1, 0);
    for (const int64_t base : {int64_t{1}, int64_t{1} << 31, int64_t{1} << 40}) {
      for (int64_t length = base; length < base + 600; ++length) {
        const double value = static_cast<double>(length);
        ASSERT_EQ(axis.full(value), static_cast<double>(length / block));
        ASSERT_EQ(axis.cover(value), static_cast<double>((length + block - 1) / block));
      }
    }
  }
}

TEST(Axis, PartialBlocksCostTheirTilesAndTheEdge) {
  const Axis axis(32, 8, 4);
  EXPECT_EQ(axis.share(32), 1);
  EXPECT_NEAR(axis.share(9), (16 + 4) / 36.0, 1e-15);
  EXPECT_EQ(axis.share(25), 1);
  EXPECT_NEAR(axis.fit(65).sum(), 2 + (8 + 4) / 36.0, 1e-15);
  EXPECT_EQ(axis.fit(64).count(), 2);
}

}  // namespace
}  // namespace mikpoly
