#include "backends/cpu/machine.h"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <thread>

namespace mikpoly::cpu {
namespace {

// The value behind "key : value" in the first processor's entry of /proc/cpuinfo.
std::string cpuinfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || line.compare(0, key.size(), key) != 0) continue;
    if (line.find_first_not_of(" \t", key.size()) != colon) continue;
    const size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

std::string read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<double> parse_number(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || !std::isfinite(value)) return {};
  if (end != text.data() + text.size() && *end != '\n' && *end != ' ') return {};
  return value;
}

// "48K" and "32M" as sysfs writes them; 0 where malformed.
int64_t parse_size(const std::string& text) {
  int64_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{}) return 0;
  const char unit = end == text.data() + text.size() ? 'B' : *end;
  return unit == 'K' ? value << 10 : unit == 'M' ? value << 20 : unit == 'G' ? value << 30 : value;
}

// Whether a comma-separated list of controllers names "cpu".
bool lists_cpu(std::string_view controllers) {
  while (!controllers.empty()) {
    const size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == "cpu") return true;
    if (comma == std::string_view::npos) return false;
    controllers.remove_prefix(comma + 1);
  }
  return false;
}

// Path of this process's group in the unified hierarchy ("0::/path") or of the v1 cpu controller.
std::string cgroup_path(bool unified) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool match = unified ? controllers.empty() : lists_cpu(controllers);
    if (match) return line.substr(second + 1);
  }
  return "/";
}

// Calls visit with the path and each of its parents, the root ("") last.
template <class Visit>
void for_each_parent(std::string path, Visit visit) {
  while (true) {
    visit(path);
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return;
    path.resize(slash);
  }
}

// Least quota on the way from this process's group to the root. Inside a container the group's path
// may not be visible below the mount; the walk then ends at the mount's own files.
double cgroup_quota() {
  double quota = INFINITY;
  const auto take = [&quota](std::optional<double> q) {
    if (q) quota = std::min(quota, *q);
  };
  for_each_parent(cgroup_path(true), [&](const std::string& path) {
    std::string file = "/sys/fs/cgroup";
    take(parse_cpu_max(read_line(file.append(path).append("/cpu.max"))));
  });
  for_each_parent(cgroup_path(false), [&](const std::string& path) {
    std::string base = "/sys/fs/cgroup/cpu";
    base.append(path).append("/cpu.cfs_");
    take(parse_cfs_quota(read_line(base + "quota_us"), read_line(base + "period_us")));
  });
  return quota;
}

}  // namespace

CacheSizes cache_sizes() {
  CacheSizes sizes;
  bool has_l3 = false;
  for (int index = 0; index < 8; ++index) {
    const std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string level = read_line(folder + "level");
    const int64_t bytes = parse_size(read_line(folder + "size"));
    if (level.empty() || bytes <= 0 || read_line(folder + "type") == "Instruction") continue;
    if (level == "1") sizes.l1 = bytes;
    if (level == "2") sizes.l2 = bytes;
    if (level == "3") {
      sizes.l3 = bytes;
      has_l3 = true;
    }
  }
  if (!has_l3) sizes.l3 = std::max(sizes.l3, 4 * sizes.l2);
  return sizes;
}

std::string processor_name() {
  std::string name = cpuinfo("model name");
  if (name.empty()) name = "unknown processor";
  const std::string family = cpuinfo("cpu family");
  const std::string model = cpuinfo("model");
  if (family.empty()) return name;
  return name + " (family " + family + ", model " + model + ")";
}

std::optional<double> parse_cpu_max(std::string_view text) {
  const size_t space = text.find(' ');
  if (space == std::string_view::npos) return {};
  return parse_cfs_quota(text.substr(0, space), text.substr(space + 1));
}

std::optional<double> parse_cfs_quota(std::string_view quota, std::string_view period) {
  const auto q = parse_number(quota);
  const auto p = parse_number(period);
  if (!q || !p || *q <= 0 || *p <= 0) return {};
  return *q / *p;
}

int usable_threads() {
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) threads = CPU_COUNT(&set);
  threads = std::min(threads, omp_get_max_threads());
  const double quota = cgroup_quota();
  if (quota < threads) threads = static_cast<int>(std::ceil(quota));
  return std::max(1, threads);
}

}  // namespace mikpoly::cpu
