#include "bench/measure/bench_run.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "bench/measure/clock.h"
#include "bench/measure/machine.h"
#include "bench/measure/row_runner.h"
#include "bench/peers/ours.h"

namespace mikpoly::bench {
namespace {

constexpr std::size_t kCasesPerRoofline = 50;
constexpr double kContestantSeconds = 0.04;
constexpr double kWarmShare = 0.6;  // of a row's time; the rest is data, first runs and checks
constexpr double kMemoryShare = 0.8;
constexpr double kRunsAtLeast = 5;  // runs of a contestant in the cheapest row
constexpr int kTightRepeats = 3;
constexpr int kTightBlocks = 2;

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
  }

  BenchOutcome run() {
    for (done_ = 0; done_ < planned_.size(); ++done_) {
      if (done_ % kCasesPerRoofline == 0) roofline_.sample();
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
    const int copies = copies_of(problem);
    OperandSet operands;
    if (!operands.allocate(problem, copies, request_.threads, request_.seed)) {
      return put_aside(planned, RowStatus::kSkipped, "out of memory");
    }
    const Reference reference(problem, operands.copies()[0], request_.seed);
    for (std::size_t i = 0; i < planned.weights.size(); ++i) {
      Row row = new_row(problem, planned.weights[i]);
      row.rotation = copies;
      row.from_llc = problem.bytes() * copies <= static_cast<double>(machine_.llc_bytes);
      run_row(operands, reference, planned.weights.size() - i, &row);
      outcome_.rows.push_back(std::move(row));
    }
  }

  void run_row(const OperandSet& operands, const Reference& reference, std::size_t rows_of_case,
               Row* row) {
    const bool packed = row->weights == "packed";
    const auto& contestants = field_.contestants(packed);
    RowSettings settings;
    settings.first = unseen(row->problem, packed);
    settings.cold = flusher_.get();
    settings.turn = outcome_.rows.size();
    if (request_.budget_s > 0) {
      const std::size_t rows =
          (planned_.size() - done_ - 1) * request_.weights.size() + rows_of_case;
      const double share = remaining() / static_cast<double>(rows) * kWarmShare;
      settings.contestant_seconds =
          std::clamp(share / static_cast<double>(contestants.size()), 1e-4, kContestantSeconds);
      if (settings.contestant_seconds < kContestantSeconds) {
        settings.min_repeats = kTightRepeats;
        settings.pool_blocks = kTightBlocks;
      }
    }
    measure_row(contestants, operands, reference, settings, row);
    if (hooks_.plan_micros && row->ours.ok) {
      row->plan_us = hooks_.plan_micros(row->problem, packed);
    }
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
    if (request_.budget_s <= 0) return {};
    double contestants = 0;
    for (const std::string& weights : planned.weights) {
      contestants += static_cast<double>(field_.contestants(weights == "packed").size());
    }
    const double run_s = problem.flop() / roofline_.limits().fma_gflops * 1e-9;
    if (run_s * contestants * kRunsAtLeast > remaining()) return "the time budget does not suffice";
    return {};
  }

  double remaining() const { return request_.budget_s - seconds_since(start_); }

  const BenchRequest& request_;
  const Field& field_;
  const BenchHooks& hooks_;
  const MachineInfo& machine_;
  const Clock::time_point start_ = Clock::now();
  Roofline roofline_;
  std::unique_ptr<CacheFlusher> flusher_;
  std::vector<PlannedCase> planned_;
  std::size_t done_ = 0;
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
