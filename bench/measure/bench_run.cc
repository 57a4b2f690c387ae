#include "bench/measure/bench_run.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "bench/measure/budget.h"
#include "bench/measure/clock.h"
#include "bench/measure/machine.h"
#include "bench/measure/row_runner.h"
#include "bench/peers/ours.h"

namespace mikpoly::bench {
namespace {

constexpr std::size_t kCasesPerRoofline = 50;
constexpr double kContestantSeconds = 0.04;
constexpr double kMemoryShare = 0.8;
// Where time is short.
constexpr int kTightRepeats = 3;
constexpr int kTightBlocks = 2;
constexpr int kTightColdRepeats = 2;
constexpr double kLeastWarmShare = 0.1;  // of a row's time, whatever the rest takes
constexpr double kOverheadMemory = 0.8;  // of the running mean of what the rest takes
// What a case takes at least: runs of each contestant (first, warm-up, repeats, a margin), and
// rates of data made, copied, packed and checked. Rough, on the slow side.
constexpr double kLeastRuns = 8;
constexpr double kDataBytesPerSecond = 1e9;
constexpr double kRunBytesPerSecond = 2e10;
constexpr double kRowSeconds = 0.02;
constexpr double kPoolChangeSeconds = 0.06;
constexpr double kFlushSeconds = 0.02;

struct PlannedCase {
  Case problem;
  std::vector<std::string> weights;
};

class BenchRun {
 public:
  BenchRun(const BenchRequest& request, const Field& field, const BenchHooks& hooks)
      : request_(request),
        field_(field),
        hooks_(hooks),
        machine_(this_machine()),
        roofline_(request.threads, machine_.l2_bytes, machine_.llc_bytes) {
    if (request.cold) {
      flusher_ = std::make_unique<CacheFlusher>(machine_.llc_bytes, request.threads);
    }
    for (const Case& problem : request.cases) plan_case(problem);
    roofline_.sample();
    std::vector<double> least;
    for (const PlannedCase& planned : planned_) least.push_back(least_seconds(planned));
    budget_ = Budget(request.budget_s, std::move(least));
  }

  BenchOutcome run() {
    for (done_ = 0; done_ < planned_.size(); ++done_) {
      if (done_ % kCasesPerRoofline == kCasesPerRoofline - 1) roofline_.sample();
      const PlannedCase& planned = planned_[done_];
      if (hooks_.progress) hooks_.progress(done_, planned_.size(), describe(planned.problem));
      run_case(planned);
    }
    if (hooks_.progress) hooks_.progress(done_, planned_.size(), "done");
    roofline_.sample();
    outcome_.roofline_samples = roofline_.samples();
    outcome_.roofline = roofline_.limits();
    outcome_.seconds = seconds_since(start_);
    return std::move(outcome_);
  }

 private:
  static std::string describe(const Case& problem) {
    return problem.suite + " " + std::to_string(problem.m) + "x" + std::to_string(problem.n) + "x" +
           std::to_string(problem.k) + " " + problem.trans;
  }

  void plan_case(const Case& problem) {
    const std::vector<std::string> all =
        problem.trans.empty() ? request_.trans : std::vector<std::string>{problem.trans};
    for (const std::string& trans : all) {
      planned_.push_back({problem, request_.weights});
      planned_.back().problem.trans = trans;
    }
  }

  void run_case(const PlannedCase& planned) {
    const Case& problem = planned.problem;
    if (!problem.unsupported.empty()) {
      return put_aside(planned, RowStatus::kUnsupported, problem.unsupported);
    }
    const std::string obstacle = why_skip(planned);
    if (!obstacle.empty()) return put_aside(planned, RowStatus::kSkipped, obstacle);
    const auto case_start = Clock::now();
    const int copies = copies_of(problem);
    OperandSet operands;
    if (!operands.allocate(problem, copies, request_.threads, request_.seed)) {
      return put_aside(planned, RowStatus::kSkipped, "out of memory");
    }
    const Reference reference(problem, operands.copies()[0], request_.seed);
    auto start = case_start;
    for (std::size_t i = 0; i < planned.weights.size(); ++i) {
      Row row = new_row(problem, planned.weights[i]);
      row.rotation = copies;
      row.from_llc = problem.bytes() * copies <= static_cast<double>(machine_.llc_bytes);
      const double warm_s = run_row(operands, reference, planned.weights.size() - i, &row);
      note_overhead(seconds_since(start), warm_s);
      start = Clock::now();
      outcome_.rows.push_back(std::move(row));
    }
  }

  // The seconds its contestants were given.
  double run_row(const OperandSet& operands, const Reference& reference, std::size_t rows_of_case,
                 Row* row) {
    const bool packed = row->weights == "packed";
    const auto& contestants = field_.contestants(packed);
    RowSettings settings;
    settings.first = unseen(row->problem, packed);
    settings.cold = flusher_.get();
    settings.turn = outcome_.rows.size();
    if (budget_.limited()) limit(contestants.size(), rows_of_case, &settings);
    measure_row(contestants, operands, reference, settings, row);
    if (hooks_.plan_micros && row->ours.ok) {
      row->plan_us = hooks_.plan_micros(row->problem, packed);
    }
    return settings.contestant_seconds * static_cast<double>(contestants.size());
  }

  // Shrinks the repeats to the share of the case, which `rows` rows have yet to come from.
  void limit(std::size_t contestants, std::size_t rows, RowSettings* settings) const {
    const double share = budget_.share(done_, seconds_since(start_)) / static_cast<double>(rows);
    const double warm = std::max(share - overhead_s_, share * kLeastWarmShare);
    const double each = warm / static_cast<double>(contestants);
    settings->min_repeats = kTightRepeats;
    if (each >= kContestantSeconds) return;
    settings->contestant_seconds = std::max(each, 1e-4);
    settings->pool_blocks = kTightBlocks;
    settings->cold_repeats = kTightColdRepeats;
  }

  // What a row takes beside the time its contestants are given: data, first runs, checks.
  void note_overhead(double row_s, double warm_s) {
    const double overhead = std::max(row_s - warm_s, 0.0);
    overhead_s_ = kOverheadMemory * overhead_s_ + (1 - kOverheadMemory) * overhead;
  }

  static Row new_row(const Case& problem, const std::string& weights) {
    Row row;
    row.problem = problem;
    row.weights = weights;
    row.ours.name = "ours";
    return row;
  }

  void put_aside(const PlannedCase& planned, RowStatus status, const std::string& reason) {
    for (const std::string& weights : planned.weights) {
      Row row = new_row(planned.problem, weights);
      row.status = status;
      row.reason = reason;
      outcome_.rows.push_back(std::move(row));
    }
  }

  // Whether neither side has met the shape. Packed weights look alike whatever B was.
  bool unseen(const Case& problem, bool packed) {
    const std::string layout = packed ? problem.trans.substr(0, 1) : problem.trans;
    return seen_.insert({problem.m, problem.n, problem.k, layout}).second;
  }

  int copies_of(const Case& problem) const {
    return rotation_copies(problem, machine_.l2_bytes, machine_.llc_bytes);
  }

  // Empty, or why the case can't be run now.
  std::string why_skip(const PlannedCase& planned) const {
    const Case& problem = planned.problem;
    const double copies = copies_of(problem);
    const double packed = 4.0 * static_cast<double>(problem.k) * static_cast<double>(problem.n) *
                          static_cast<double>(field_.contestants(true).size());
    const double bytes = (problem.bytes() + packed) * copies;
    if (bytes > kMemoryShare * static_cast<double>(available_memory())) {
      return "needs " + std::to_string(static_cast<int64_t>(bytes / 1048576)) + " MiB of memory";
    }
    if (!budget_.limited()) return {};
    const bool affordable = budget_.share(done_, seconds_since(start_)) > 0;
    return affordable ? "" : "the time budget does not suffice for it";
  }

  double least_seconds(const PlannedCase& planned) const {
    const Case& problem = planned.problem;
    const double run = std::max(problem.flop() / roofline_.limits().fma_gflops * 1e-9,
                                problem.bytes() / kRunBytesPerSecond);
    double seconds = problem.bytes() * copies_of(problem) / kDataBytesPerSecond;
    for (const std::string& weights : planned.weights) {
      const auto& field = field_.contestants(weights == "packed");
      const auto contestants = static_cast<double>(field.size());
      seconds += kRowSeconds + contestants * kLeastRuns * run;
      for (const Contestant* contestant : field) {
        if (contestant->info().pool != field[0]->info().pool) seconds += kPoolChangeSeconds;
      }
      if (request_.cold) seconds += contestants * kTightColdRepeats * (kFlushSeconds + run);
    }
    return seconds;
  }

  const BenchRequest& request_;
  const Field& field_;
  const BenchHooks& hooks_;
  const MachineInfo& machine_;
  const Clock::time_point start_ = Clock::now();
  Roofline roofline_;
  std::unique_ptr<CacheFlusher> flusher_;
  std::vector<PlannedCase> planned_;
  Budget budget_{0, {}};
  std::size_t done_ = 0;
  double overhead_s_ = 0;
  std::set<std::tuple<int64_t, int64_t, int64_t, std::string>> seen_;
  BenchOutcome outcome_;
};

}  // namespace

Result<Field> Field::create(Runtime* runtime, int threads) {
  Field field;
  for (const bool packed : {true, false}) {
    auto ours = Contestant::create(make_ours(runtime, packed), threads);
    if (!ours.ok()) return ours.status();
    field.owned_.push_back(std::move(ours).value());
    (packed ? field.packed_ : field.plain_).push_back(field.owned_.back().get());
  }
  return field;
}

Status Field::add(std::unique_ptr<Peer> peer, int threads) {
  auto contestant = Contestant::create(std::move(peer), threads);
  if (!contestant.ok()) return contestant.status();
  owned_.push_back(std::move(contestant).value());
  Contestant* added = owned_.back().get();
  (added->info().packs ? packed_ : plain_).push_back(added);
  return {};
}

std::vector<PeerInfo> Field::peers() const {
  std::vector<PeerInfo> infos;
  for (const auto& contestant : owned_) {
    if (contestant->info().name != "ours") infos.push_back(contestant->info());
  }
  return infos;
}

BenchOutcome run_bench(const BenchRequest& request, const Field& field, const BenchHooks& hooks) {
  return BenchRun(request, field, hooks).run();
}

}  // namespace mikpoly::bench
