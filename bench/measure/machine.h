// The machine a benchmark runs on.
#pragma once

#include <cstdint>
#include <string>

namespace mikpoly::bench {

struct MachineInfo {
  std::string cpu;     // model name
  std::string system;  // kernel name and release
  int cpus = 1;        // that this process may run on
  bool avx2 = false;   // with FMA
  bool avx512 = false;
  int64_t l2_bytes = 0;   // of all cores this process may run on, together
  int64_t llc_bytes = 0;  // last-level cache that one core sees
  int64_t memory_bytes = 0;
};

// Read once. Sizes that the system doesn't tell are taken as 1 MiB of L2 a CPU and 32 MiB.
const MachineInfo& this_machine();

// Memory that can be had now without swapping, in bytes.
int64_t available_memory();

// Resident memory of this process, in bytes; 0 where the system doesn't tell.
int64_t resident_memory();

// Load average of the last minute; negative where the system doesn't tell.
double load_average();

}  // namespace mikpoly::bench
