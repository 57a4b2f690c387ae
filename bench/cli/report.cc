#include <fstream>
#include <iostream>

#include "bench/cli/common.h"
#include "bench/report/html.h"

namespace mikpoly::bench {
namespace {

struct ReportFlags {
  std::string json;
  std::string html = "report.html";
};

int run(const ReportFlags& flags) {
  const std::string obstacle = why_not_writable(flags.html);
  if (!obstacle.empty()) return usage_error("--html: " + obstacle);
  std::ifstream file(flags.json);
  if (!file) return usage_error(flags.json + " can't be read");
  std::string page;
  try {
    page = html_report(nlohmann::ordered_json::parse(file));
  } catch (const nlohmann::json::exception& error) {
    return usage_error(flags.json + " is not the JSON of mikpoly bench: " + error.what());
  }
  const Status status = write_file(flags.html, page);
  if (!status.ok()) return usage_error(status.message());
  std::cout << "report in " << flags.html << "\n";
  return kExitOk;
}

}  // namespace

void add_report(CLI::App* app, Action* action) {
  auto flags = std::make_shared<ReportFlags>();
  CLI::App* command = app->add_subcommand("report", "Makes a page from the JSON of bench");
  command->add_option("JSON", flags->json, "File that bench --json wrote")->required();
  command->add_option("--html", flags->html, "Page to write")->capture_default_str();
  command->callback([=] { *action = [flags] { return run(*flags); }; });
}

}  // namespace mikpoly::bench
