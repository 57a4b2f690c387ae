#include <omp.h>
#include <unistd.h>

#include <iostream>

#include "bench/cli/common.h"
#include "bench/measure/machine.h"
#include "bench/measure/oracle.h"
#include "bench/report/bench_report.h"
#include "bench/suites/csv.h"
#include "bench/suites/suites.h"
#include "mikpoly/version.h"

namespace mikpoly::bench {
namespace {

constexpr std::size_t kDefaultOracleCases = 20;
constexpr double kQuickBudget = 50;  // s; the quick suite's, unless one is given

struct BenchFlags {
  RuntimeFlags runtime;
  std::vector<std::string> suites;
  std::string shapes;
  std::vector<std::string> peers;
  std::vector<std::string> trans = {"NN"};
  std::string dtype = "f32";
  std::string weights;
  std::string json;
  std::string budget;
  std::size_t limit = 0;
  uint64_t seed = 1;
  bool cold = false;
  bool no_cold = false;
  bool oracle = false;
  std::size_t oracle_limit = kDefaultOracleCases;
  int oracle_plans = 200;
};

// Everything checked before anything is measured.
struct BenchPlan {
  BenchRequest request;
  std::vector<const PeerEntry*> peers;
};

Status bad(const std::string& message) { return Status(StatusCode::kInvalidArgument, message); }

Result<std::vector<Case>> read_cases(const BenchFlags& flags) {
  std::vector<Case> cases;
  for (const std::string& name : flags.suites) {
    const Suite* suite = find_suite(name);
    if (suite == nullptr) {
      std::string known;
      for (const Suite& other : suites())
        known += (known.empty() ? "" : ", ") + std::string(other.name);
      return bad("unknown suite \"" + name + "\"; known are " + known);
    }
    for (Case& c : suite->cases()) cases.push_back(std::move(c));
  }
  if (!flags.shapes.empty()) {
    auto own = read_shapes(flags.shapes);
    if (!own.ok()) return own.status();
    for (Case& c : own.value()) cases.push_back(std::move(c));
  }
  if (cases.empty()) return bad("give --suite or --shapes");
  for (Case& c : cases) {
    if (c.dtype.empty()) c.dtype = flags.dtype;
    if (c.unsupported.empty() && c.dtype != "f32") {
      c.unsupported = "dtype " + c.dtype + " is not served yet";
    }
  }
  return sample(cases, flags.limit, flags.seed);
}

Result<std::vector<std::string>> weights_of(const BenchFlags& flags,
                                            const std::vector<const PeerEntry*>& peers) {
  if (flags.weights == "both") return std::vector<std::string>{"packed", "plain"};
  if (flags.weights == "packed" || flags.weights == "plain") {
    return std::vector<std::string>{flags.weights};
  }
  if (!flags.weights.empty()) return bad("--weights must be packed, plain or both");
  std::vector<std::string> weights;
  bool plain = peers.empty();
  for (const PeerEntry* peer : peers) {
    if (std::string_view(peer->name) == "onednn-any") {
      weights = {"packed"};
    } else {
      plain = true;
    }
  }
  if (plain) weights.push_back("plain");
  return weights;
}

Result<BenchPlan> check(const BenchFlags& flags) {
  BenchPlan plan;
  DType dtype = DType::kF32;
  if (!parse_dtype(flags.dtype.c_str(), &dtype))
    return bad("unknown dtype \"" + flags.dtype + "\"");
  for (const std::string& trans : flags.trans) {
    if (!is_trans(trans)) return bad("--trans \"" + trans + "\" must be of NN, NT, TN, TT");
  }
  plan.request.trans = flags.trans;
  auto cases = read_cases(flags);
  if (!cases.ok()) return cases.status();
  plan.request.cases = std::move(cases).value();
  auto peers = select_peers(flags.peers);
  if (!peers.ok()) return peers.status();
  plan.peers = std::move(peers).value();
  auto weights = weights_of(flags, plan.peers);
  if (!weights.ok()) return weights.status();
  plan.request.weights = std::move(weights).value();
  if (!flags.budget.empty()) {
    plan.request.budget_s = parse_duration(flags.budget);
    if (plan.request.budget_s <= 0) {
      return bad("--budget is \"" + flags.budget + "\"; give a time such as 60s or 5m");
    }
  }
  if (flags.budget.empty() && flags.shapes.empty() &&
      flags.suites == std::vector<std::string>{"quick"}) {
    plan.request.budget_s = kQuickBudget;
  }
  if (!flags.json.empty()) {
    const std::string obstacle = why_not_writable(flags.json);
    if (!obstacle.empty()) return bad("--json: " + obstacle);
  }
  plan.request.cold = flags.cold && !flags.no_cold;
  plan.request.seed = flags.seed;
  return plan;
}

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ",") + item;
  return text;
}

// What was asked for, to be repeated.
std::string command_line(const BenchFlags& flags) {
  std::string line = "mikpoly bench";
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) line += std::string(" ") + name + " " + value;
  };
  add("--suite", joined(flags.suites));
  add("--shapes", flags.shapes);
  add("--vs", joined(flags.peers));
  add("--trans", joined(flags.trans));
  add("--dtype", flags.dtype);
  add("--weights", flags.weights);
  add("--backend", flags.runtime.backend);
  add("--threads", std::to_string(flags.runtime.threads));
  add("--limit", flags.limit > 0 ? std::to_string(flags.limit) : "");
  add("--seed", std::to_string(flags.seed));
  add("--budget", flags.budget);
  if (flags.cold && !flags.no_cold) line += " --cold";
  if (flags.oracle) line += " --oracle";
  return line;
}

// Cases the oracle can run: what the table's cases are, fewer.
std::vector<Case> oracle_cases(const BenchFlags& flags, const BenchRequest& request) {
  std::vector<Case> cases;
  for (const Case& c : request.cases) {
    if (!c.unsupported.empty()) continue;
    cases.push_back(c);
    if (c.trans.empty()) cases.back().trans = request.trans[0];
    cases.back().suite = "oracle";  // one sample over all suites
  }
  return sample(cases, flags.oracle_limit, flags.seed);
}

Result<BenchReport> measure(const BenchFlags& flags, const BenchPlan& plan, Runtime* runtime) {
  BenchReport report;
  report.command = command_line(flags);
  report.load_before = load_average();
  report.library = {version(),         git_commit(),       runtime->backend_name(),
                    runtime->device(), runtime->profile(), runtime->threads()};
  BenchRequest request = plan.request;
  request.threads = runtime->threads();
  omp_set_num_threads(request.threads);
  auto field = Field::create(runtime, request.threads);
  if (!field.ok()) return field.status();
  for (const PeerEntry* entry : plan.peers) {
    auto peer = entry->create(request.threads);
    Status status =
        peer.ok() ? field.value().add(std::move(peer).value(), request.threads) : peer.status();
    if (!status.ok()) {
      return Status(status.code(), std::string("peer ") + entry->name + ": " + status.message());
    }
  }
  report.peers = field.value().peers();
  ProgressBar bar;
  BenchHooks hooks;
  hooks.progress = [&](std::size_t done, std::size_t all, const std::string& what) {
    bar.update(static_cast<double>(done) / static_cast<double>(all), what);
  };
  hooks.plan_micros = [&](const Case& problem, bool packed) -> std::optional<double> {
    const double micros = plan_micros(runtime, problem, packed);
    return micros < 0 ? std::nullopt : std::optional<double>(micros);
  };
  report.outcome = run_bench(request, field.value(), hooks);
  if (flags.oracle) {
    OracleOptions options;
    options.threads = request.threads;
    options.max_plans = flags.oracle_plans;
    options.packed = request.weights[0] == "packed";
    options.seed = flags.seed;
    options.progress = [&](double share, const std::string& what) { bar.update(share, what); };
    report.oracle = run_oracle(oracle_cases(flags, request), options, runtime);
  }
  return report;
}

int run(const BenchFlags& flags) {
  const auto plan = check(flags);
  if (!plan.ok()) return usage_error(plan.status().message());
  auto runtime = open_runtime(flags.runtime);
  if (!runtime.ok()) return usage_error(runtime.status().message());
  const auto report = measure(flags, plan.value(), &runtime.value());
  if (!report.ok()) return usage_error(report.status().message());
  if (!flags.json.empty()) {
    const Status status = write_file(flags.json, to_json(report.value()).dump(1) + "\n");
    if (!status.ok()) return usage_error(status.message());
  }
  print_table(report.value(), is_terminal(STDOUT_FILENO), std::cout);
  if (!flags.json.empty()) std::cout << "\nJSON in " << flags.json << "\n";
  return report.value().ok() ? kExitOk : kExitFailed;
}

void add_case_options(CLI::App* command, BenchFlags* flags) {
  std::string known;
  for (const Suite& suite : suites()) {
    known += "\n  " + std::string(suite.name) + ": " + suite.summary;
  }
  command->add_option("--suite", flags->suites, "Suites, separated by commas:" + known)
      ->delimiter(',');
  command->add_option("--shapes", flags->shapes,
                      "CSV file with rows gemm,m,n,k[,batch,trans,dtype] or conv,...");
  command
      ->add_option("--trans", flags->trans,
                   "Layouts of A and B for cases that do not say: NN, NT (B stored N x K, as "
                   "Linear layers do), TN, TT")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--dtype", flags->dtype, "Element type")->capture_default_str();
  command->add_option("--weights", flags->weights,
                      "packed, plain or both; by default what the peers compare with");
  command->add_option("--limit", flags->limit, "At most so many cases a suite, stratified by FLOP");
  command->add_option("--seed", flags->seed, "Seed of sample and data")->capture_default_str();
}

}  // namespace

void add_bench(CLI::App* app, Action* action) {
  auto flags = std::make_shared<BenchFlags>();
  CLI::App* command = app->add_subcommand("bench", "Measures suites of GEMMs against peers");
  add_case_options(command, flags.get());
  std::string peers = "Peers, separated by commas; onednn stands for its three practices:";
  for (const PeerEntry& entry : peer_table()) {
    peers += "\n  " + std::string(entry.name) + ": " + entry.summary;
  }
  command->add_option("--vs", flags->peers, peers)->delimiter(',');
  command->add_option("--json", flags->json, "Writes all rows and the summary");
  command->add_option(
      "--budget", flags->budget,
      "Time to keep to, e.g. 60s: repeats shrink, then cases are skipped and counted; "
      "50s for quick alone");
  command->add_flag("--cold", flags->cold, "Also times runs with swept caches");
  command->add_flag("--no-cold", flags->no_cold, "Not that (default)");
  command->add_flag("--oracle", flags->oracle, "Runs every candidate plan on a sample");
  command->add_option("--oracle-limit", flags->oracle_limit, "Cases of that sample")
      ->capture_default_str();
  command->add_option("--oracle-plans", flags->oracle_plans, "Cheapest plans a case at most")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_runtime_flags(command, &flags->runtime);
  command->callback([=] { *action = [flags] { return run(*flags); }; });
}

}  // namespace mikpoly::bench
