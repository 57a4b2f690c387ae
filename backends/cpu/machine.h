// What this process may use of the CPU it runs on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mikpoly::cpu {

struct CacheSizes {
  int64_t l1 = 32 << 10;   // data, one core
  int64_t l2 = 512 << 10;  // one core
  int64_t l3 = 8 << 20;    // all cores that share it
};

// Sizes that sysfs reports (glibc's sysconf counts the third level of some AMD processors many
// times); the defaults above where it is silent.
CacheSizes cache_sizes();

// Processor name with family and model, e.g. "AMD EPYC (family 26, model 2)".
std::string processor_name();

// Threads this process may run on: affinity mask, cgroup CPU quota (rounded up) and
// OMP_NUM_THREADS, whichever is least. At least 1.
int usable_threads();

// The quota in CPUs that the text of a cgroup v2 cpu.max grants ("200000 100000" is 2); nothing for
// "max" or a malformed text.
std::optional<double> parse_cpu_max(std::string_view text);

// Likewise of cgroup v1's cpu.cfs_quota_us and cpu.cfs_period_us; -1 is no quota.
std::optional<double> parse_cfs_quota(std::string_view quota, std::string_view period);

}  // namespace mikpoly::cpu
