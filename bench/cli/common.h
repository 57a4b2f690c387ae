// What the subcommands of `mikpoly` share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "mikpoly/runtime.h"

namespace mikpoly::bench {

// Exit codes of the program.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;  // a check failed
inline constexpr int kExitUsage = 2;

// Set by the subcommand that was given; run after the whole command line has been read.
using Action = std::function<int()>;

// One line on standard error; returns kExitUsage.
int usage_error(const std::string& message);

// --backend, --threads and --profile.
struct RuntimeFlags {
  std::string backend = "auto";
  int threads = 0;
  std::string profile;
};
void add_runtime_flags(CLI::App* command, RuntimeFlags* flags);
// Checks the backend's name and that it can run here before anything is created.
Result<Runtime> open_runtime(const RuntimeFlags& flags);

// Empty where a file can be written at the path without touching it now, else the reason.
std::string why_not_writable(const std::string& path);
// Writes the whole text or leaves the old file: through a temporary file beside it.
Status write_file(const std::string& path, const std::string& text);

// "90", "90s", "1.5m", "2h", "500ms" in seconds; negative where the text is none of these.
double parse_duration(std::string_view text);

bool is_terminal(int file_descriptor);

// A bar with the remaining time on standard error; silent unless that is a terminal.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  void update(double share, const std::string& what);
  void clear();

 private:
  bool visible_;
  bool drawn_ = false;
  double start_;
};

std::string git_commit();  // of the sources, or "unknown"

void add_info(CLI::App* app, Action* action);
void add_plan(CLI::App* app, Action* action);
void add_tune(CLI::App* app, Action* action);
void add_verify(CLI::App* app, Action* action);
void add_bench(CLI::App* app, Action* action);
void add_report(CLI::App* app, Action* action);
void add_soak(CLI::App* app, Action* action);

}  // namespace mikpoly::bench
