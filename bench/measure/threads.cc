#include "bench/measure/threads.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace mikpoly::bench {
namespace {

constexpr int kMaxWaits = 40;

// State letter of a /proc/self/task/<id>/stat line: the field after the name in parentheses.
char state_of(const std::filesystem::path& stat_file) {
  std::ifstream file(stat_file);
  std::string line;
  std::getline(file, line);
  const std::size_t end = line.rfind(')');
  return end == std::string::npos || end + 2 >= line.size() ? 'S' : line[end + 2];
}

bool others_run() {
  const std::string self = std::to_string(gettid());
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    if (task.path().filename() != self && state_of(task.path() / "stat") == 'R') return true;
  }
  return false;
}

}  // namespace

void settle_threads() {
  for (int i = 0; i < kMaxWaits && others_run(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace mikpoly::bench
