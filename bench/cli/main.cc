// The program `mikpoly`; one file a subcommand.
#include <iostream>

#include "bench/cli/common.h"
#include "mikpoly/version.h"

int main(int argc, char** argv) {
  using namespace mikpoly::bench;
  CLI::App app{"GEMM of any shape at run time from pre-tuned micro-kernels.", "mikpoly"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string(mikpoly::version()) + " (" + git_commit() + ")");
  app.footer("Exit codes: 0 done and right, 1 a check failed, 2 the command can't be carried out.");
  Action action;
  add_info(&app, &action);
  add_plan(&app, &action);
  add_tune(&app, &action);
  add_verify(&app, &action);
  add_bench(&app, &action);
  add_report(&app, &action);
  add_soak(&app, &action);
  const auto named = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(named).empty()) {
    return usage_error("unknown command \"" + std::string(argv[1]) + "\" (see mikpoly --help)");
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return usage_error(std::string(error.what()) + " (see mikpoly --help)");
  }
  try {
    return action();
  } catch (const std::exception& error) {
    std::cerr << "mikpoly: internal fault: " << error.what() << "\n";
    return kExitFailed;
  }
}
