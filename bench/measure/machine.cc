#include "bench/measure/machine.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <vector>

namespace mikpoly::bench {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

std::string read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The value of a "name : value" or "name: value kB" line.
std::string field_of(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.compare(0, name.size(), name) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t first = line.find_first_not_of(" \t", colon + 1);
    return first == std::string::npos ? std::string() : line.substr(first);
  }
  return {};
}

// "1024K", "32M" in bytes.
int64_t parse_cache_size(const std::string& text) {
  if (text.empty()) return 0;
  const int64_t value = std::atoll(text.c_str());
  const char unit = text.back();
  return unit == 'K' ? value * 1024 : unit == 'M' ? value * kMiB : value;
}

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (int i = 0; i < CPU_SETSIZE; ++i) {
      if (CPU_ISSET(i, &set)) cpus.push_back(i);
    }
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

void read_caches(const std::vector<int>& cpus, MachineInfo* machine) {
  std::map<std::string, int64_t> l2;  // by the CPUs that share it
  int last_level = 0;
  for (const int cpu : cpus) {
    for (int index = 0; index < 8; ++index) {
      const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                                 "/cache/index" + std::to_string(index) + "/";
      const std::string level_text = read_line(folder + "level");
      if (level_text.empty()) break;
      if (read_line(folder + "type") == "Instruction") continue;
      const int level = std::atoi(level_text.c_str());
      const int64_t bytes = parse_cache_size(read_line(folder + "size"));
      if (level == 2) l2[read_line(folder + "shared_cpu_list")] = bytes;
      if (level >= last_level) {
        last_level = level;
        machine->llc_bytes = bytes;
      }
    }
  }
  for (const auto& [sharers, bytes] : l2) machine->l2_bytes += bytes;
  if (machine->l2_bytes == 0) machine->l2_bytes = kMiB * static_cast<int64_t>(cpus.size());
  if (machine->llc_bytes == 0) machine->llc_bytes = 32 * kMiB;
}

MachineInfo read_machine() {
  MachineInfo machine;
  machine.cpu = field_of("/proc/cpuinfo", "model name");
  if (machine.cpu.empty()) machine.cpu = "unknown";
  utsname names{};
  if (uname(&names) == 0) machine.system = std::string(names.sysname) + " " + names.release;
  const std::vector<int> cpus = allowed_cpus();
  machine.cpus = static_cast<int>(cpus.size());
#if defined(__x86_64__) || defined(__i386__)
  __builtin_cpu_init();
  machine.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  machine.avx512 = machine.avx2 && __builtin_cpu_supports("avx512f");
#endif
  read_caches(cpus, &machine);
  machine.memory_bytes = int64_t{sysconf(_SC_PHYS_PAGES)} * int64_t{sysconf(_SC_PAGESIZE)};
  return machine;
}

}  // namespace

const MachineInfo& this_machine() {
  static const MachineInfo machine = read_machine();
  return machine;
}

int64_t available_memory() {
  const std::string text = field_of("/proc/meminfo", "MemAvailable");
  if (text.empty()) return this_machine().memory_bytes;
  return std::atoll(text.c_str()) * 1024;
}

int64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  if (!(file >> total >> resident)) return 0;
  return resident * int64_t{sysconf(_SC_PAGESIZE)};
}

double load_average() {
  double load = -1;
  return getloadavg(&load, 1) == 1 ? load : -1;
}

}  // namespace mikpoly::bench
