#include "bench/measure/verify.h"

#include <iostream>

#include "bench/cli/common.h"

namespace mikpoly::bench {
namespace {

constexpr int kMaxReported = 5;

struct VerifyFlags {
  RuntimeFlags runtime;
  std::string op = "gemm";
  int64_t cases = 1000;
  uint64_t seed = 1;
};

int run(const VerifyFlags& flags) {
  if (flags.op != "gemm") {
    return usage_error("unknown operation \"" + flags.op + "\"; known is gemm");
  }
  auto runtime = open_runtime(flags.runtime);
  if (!runtime.ok()) return usage_error(runtime.status().message());
  int faults = 0;
  int64_t done = 0;
  ProgressBar bar;
  for (; done < flags.cases && faults < kMaxReported; ++done) {
    bar.update(static_cast<double>(done) / static_cast<double>(flags.cases), "verifying");
    const std::string fault = verify_case(&runtime.value(), done, flags.seed);
    if (fault.empty()) continue;
    bar.clear();
    std::cout << fault << "\n";
    ++faults;
  }
  bar.clear();
  std::cout << done << " cases on " << runtime.value().backend_name() << ", " << faults
            << (faults == 1 ? " fault" : " faults") << (done < flags.cases ? ", stopped there" : "")
            << "\n";
  return faults == 0 ? kExitOk : kExitFailed;
}

}  // namespace

void add_verify(CLI::App* app, Action* action) {
  auto flags = std::make_shared<VerifyFlags>();
  CLI::App* command = app->add_subcommand(
      "verify", "Compares random and edge cases with a reference in double precision");
  command->add_option("--op", flags->op, "Operation: gemm")->capture_default_str();
  command->add_option("--cases", flags->cases, "Cases")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40))
      ->capture_default_str();
  command->add_option("--seed", flags->seed, "Seed")->capture_default_str();
  add_runtime_flags(command, &flags->runtime);
  command->callback([=] { *action = [flags] { return run(*flags); }; });
}

}  // namespace mikpoly::bench
