#include "backends/cpu/machine.h"

#include <gtest/gtest.h>
#include <sched.h>

namespace mikpoly::cpu {
namespace {

TEST(MachineTest, ReadsTheQuotaOfCgroupV2) {
  EXPECT_EQ(parse_cpu_max("200000 100000"), 2.0);
  EXPECT_EQ(parse_cpu_max("50000 100000\n"), 0.5);
  for (const char* text :
       {"", "max 100000", "200000", "0 100000", "100000 0", "-1 100000", "a b"}) {
    EXPECT_FALSE(parse_cpu_max(text).has_value()) << text;
  }
}

TEST(MachineTest, ReadsTheQuotaOfCgroupV1) {
  EXPECT_EQ(parse_cfs_quota("400000", "100000"), 4.0);
  EXPECT_FALSE(parse_cfs_quota("-1", "100000").has_value());
  EXPECT_FALSE(parse_cfs_quota("", "").has_value());
}

TEST(MachineTest, ThreadsStayInsideTheAffinityMask) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  EXPECT_GE(usable_threads(), 1);
  EXPECT_LE(usable_threads(), CPU_COUNT(&all));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &all)) continue;
    CPU_SET(cpu, &one);
    break;
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_threads(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

TEST(MachineTest, CachesGrowWithTheirLevel) {
  const CacheSizes sizes = cache_sizes();
  EXPECT_GE(sizes.l1, 4 << 10);
  EXPECT_GT(sizes.l2, sizes.l1);
  EXPECT_GT(sizes.l3, sizes.l2);
  EXPECT_FALSE(processor_name().empty());
}

}  // namespace
}  // namespace mikpoly::cpu
