#include <iostream>

#include "bench/cli/common.h"
#include "bench/measure/oracle.h"
#include "bench/peers/ours.h"
#include "bench/suites/csv.h"

namespace mikpoly::bench {
namespace {

struct PlanFlags {
  RuntimeFlags runtime;
  Case problem;
  bool packed = false;
  bool explain = false;
  std::string svg;
};

int run(const PlanFlags& flags) {
  if (!is_trans(flags.problem.trans)) return usage_error("--trans must be NN, NT, TN or TT");
  if (!flags.svg.empty()) {
    const std::string obstacle = why_not_writable(flags.svg);
    if (!obstacle.empty()) return usage_error("--svg: " + obstacle);
  }
  auto runtime = open_runtime(flags.runtime);
  if (!runtime.ok()) return usage_error(runtime.status().message());
  const auto plan = runtime.value().plan(gemm_problem(flags.problem, flags.packed));
  if (!plan.ok()) return usage_error(plan.status().message());
  std::cout << plan.value().to_string() << "\n";
  std::cout << "predicted " << plan.value().predicted_ns() / 1000 << " us, workspace "
            << plan.value().workspace_bytes() << " bytes\n";
  const double micros = plan_micros(&runtime.value(), flags.problem, flags.packed);
  if (micros >= 0) std::cout << "planning took " << micros << " us (median)\n";
  if (flags.explain) std::cout << "\n" << plan.value().explain() << "\n";
  if (flags.svg.empty()) return kExitOk;
  const Status status = write_file(flags.svg, plan.value().to_svg());
  if (!status.ok()) return usage_error(status.message());
  std::cout << "drawn in " << flags.svg << "\n";
  return kExitOk;
}

}  // namespace

void add_plan(CLI::App* app, Action* action) {
  auto flags = std::make_shared<PlanFlags>();
  flags->problem.trans = "NN";
  CLI::App* command = app->add_subcommand("plan", "Shows how a GEMM would be computed");
  command->add_option("M", flags->problem.m, "Rows of the output")->required();
  command->add_option("N", flags->problem.n, "Columns of the output")->required();
  command->add_option("K", flags->problem.k, "Length of the reduction")->required();
  command->add_option("--trans", flags->problem.trans, "Layouts of A and B: NN, NT, TN or TT")
      ->capture_default_str();
  command->add_flag("--packed", flags->packed, "B packed beforehand");
  command->add_flag("--explain", flags->explain, "Draws the regions and lists the candidates");
  command->add_option("--svg", flags->svg, "Writes a drawing of the regions");
  add_runtime_flags(command, &flags->runtime);
  command->callback([=] { *action = [flags] { return run(*flags); }; });
}

}  // namespace mikpoly::bench
