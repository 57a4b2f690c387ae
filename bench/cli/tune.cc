#include "bench/tune/tune.h"

#include <iostream>

#include "bench/cli/common.h"

namespace mikpoly::bench {
namespace {

struct TuneFlags {
  tune::TuneOptions options;
  std::string budget = "240s";
};

int run(TuneFlags flags) {
  flags.options.budget_s = parse_duration(flags.budget);
  if (flags.options.budget_s <= 0) {
    return usage_error("--budget is \"" + flags.budget + "\"; give a time such as 60s or 4m");
  }
  if (!flags.options.output.empty()) {
    const std::string obstacle = why_not_writable(flags.options.output);
    if (!obstacle.empty()) return usage_error("--output: " + obstacle);
  }
  ProgressBar bar;
  flags.options.progress = [&](double share, const std::string& what) { bar.update(share, what); };
  const auto profile = tune::tune(flags.options);
  bar.clear();
  if (!profile.ok()) return usage_error(profile.status().message());
  std::cout << "profile of " << profile.value().device << " written to " << profile.value().path
            << "\n";
  for (const auto& [catalog, kernels] : profile.value().catalogs) {
    double error = 0;
    for (const KernelCost& kernel : kernels) error = std::max(error, kernel.fit_error);
    std::cout << "  " << catalog << ": " << kernels.size() << " micro-kernels, largest fit error "
              << 100 * error << "%\n";
  }
  return kExitOk;
}

}  // namespace

void add_tune(CLI::App* app, Action* action) {
  auto flags = std::make_shared<TuneFlags>();
  CLI::App* command =
      app->add_subcommand("tune", "Measures this machine's micro-kernels and writes a profile");
  command->add_option("--budget", flags->budget, "Time to spend, about")->capture_default_str();
  command->add_option("--output", flags->options.output,
                      "Profile to write; the user cache directory's by default");
  command->add_option("--threads", flags->options.threads, "Threads; 0 takes all")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command->add_option("--keep", flags->options.keep, "Micro-kernels kept a catalog")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--seed", flags->options.seed, "Seed of the synthetic shapes")
      ->capture_default_str();
  command->add_flag("--restart", flags->options.restart, "Discards an interrupted run's parts");
  command->callback([=] { *action = [flags] { return run(*flags); }; });
}

}  // namespace mikpoly::bench
