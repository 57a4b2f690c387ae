#include "bench/cli/common.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "bench/measure/clock.h"

namespace mikpoly::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxThreads = 4096;
constexpr int kBarWidth = 30;

double now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

std::string known_backends() {
  std::string names = "auto";
  for (const BackendStatus& backend : Runtime::backends()) names += ", " + backend.name;
  return names;
}

bool is_special(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

}  // namespace

int usage_error(const std::string& message) {
  std::cerr << "mikpoly: " << message << "\n";
  return kExitUsage;
}

void add_runtime_flags(CLI::App* command, RuntimeFlags* flags) {
  command->add_option("--backend", flags->backend, "Backend by name; auto takes the best usable")
      ->capture_default_str();
  command->add_option("--threads", flags->threads, "Threads; 0 takes all this process may use")
      ->check(CLI::Range(0, kMaxThreads))
      ->capture_default_str();
  command->add_option("--profile", flags->profile, "Profile file of the micro-kernels' costs");
}

Result<Runtime> open_runtime(const RuntimeFlags& flags) {
  if (flags.backend != "auto") {
    const auto all = Runtime::backends();
    const auto found = std::find_if(all.begin(), all.end(), [&](const BackendStatus& backend) {
      return backend.name == flags.backend;
    });
    if (found == all.end()) {
      return Status(StatusCode::kInvalidArgument,
                    "unknown backend \"" + flags.backend + "\"; known are " + known_backends());
    }
    if (found->score == 0) {
      return Status(StatusCode::kUnsupported,
                    "backend " + flags.backend + " can't run here: " + found->reason);
    }
  }
  if (!flags.profile.empty() && access(flags.profile.c_str(), R_OK) != 0) {
    return Status(StatusCode::kInvalidArgument, "profile " + flags.profile + " can't be read");
  }
  RuntimeOptions options;
  options.backend = flags.backend;
  options.threads = flags.threads;
  options.profile_path = flags.profile;
  return Runtime::create(options);
}

std::string why_not_writable(const std::string& path) {
  std::error_code error;
  if (path.empty()) return "empty path";
  if (fs::is_directory(path, error)) return path + " is a directory";
  if (fs::exists(path, error)) {
    return access(path.c_str(), W_OK) == 0 ? "" : path + " is not writable";
  }
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, error)) return folder.string() + " is not a directory";
  return access(folder.c_str(), W_OK) == 0 ? "" : folder.string() + " is not writable";
}

Status write_file(const std::string& path, const std::string& text) {
  const std::string target = is_special(path) ? path : path + ".partial";
  {
    std::ofstream file(target, std::ios::binary);
    file << text;
    file.flush();
    if (!file) return Status(StatusCode::kInvalidArgument, target + " can't be written");
  }
  if (target == path) return {};
  std::error_code error;
  fs::rename(target, path, error);
  if (!error) return {};
  fs::remove(target, error);
  return Status(StatusCode::kInvalidArgument, path + " can't be written");
}

double parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr Unit kUnits[] = {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"", 1}};
  for (const Unit& unit : kUnits) {
    if (!text.ends_with(unit.name)) continue;
    const std::string value(text.substr(0, text.size() - unit.name.size()));
    const bool plain = value.find_first_not_of("0123456789.") == std::string::npos;
    if (value.empty() || !plain) continue;
    std::size_t used = 0;
    double number = -1;
    try {
      number = std::stod(value, &used);
    } catch (const std::exception&) {
      return -1;
    }
    return used == value.size() ? number * unit.seconds : -1;
  }
  return -1;
}

bool is_terminal(int file_descriptor) { return isatty(file_descriptor) == 1; }

ProgressBar::ProgressBar() : visible_(is_terminal(STDERR_FILENO)), start_(now()) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::update(double share, const std::string& what) {
  if (!visible_) return;
  const double done = std::clamp(share, 0.0, 1.0);
  const int filled = static_cast<int>(done * kBarWidth);
  const double elapsed = now() - start_;
  const std::string bar = std::string(static_cast<std::size_t>(filled), '#') +
                          std::string(static_cast<std::size_t>(kBarWidth - filled), '.');
  std::fprintf(stderr, "\r\033[K[%s] %3d%%", bar.c_str(), static_cast<int>(done * 100));
  if (done > 0.01) std::fprintf(stderr, " %d s left", static_cast<int>(elapsed / done - elapsed));
  std::fprintf(stderr, "  %.60s", what.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace mikpoly::bench
