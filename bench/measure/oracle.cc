#include "bench/measure/oracle.h"

#include <algorithm>
#include <cmath>

#include "bench/measure/clock.h"
#include "bench/measure/machine.h"
#include "bench/measure/operands.h"
#include "bench/peers/ours.h"
#include "bench/report/statistics.h"
#include "core/runtime/runtime_impl.h"
#include "core/runtime/tools.h"
#include "planner/search.h"

namespace mikpoly::bench {
namespace {

constexpr double kShortestSample = 20;  // us
constexpr int kScreenSamples = 3;
constexpr int kSecondSamples = 7;
constexpr int kFinalSamples = 41;
constexpr double kFinalSeconds = 1;
constexpr std::size_t kFinalists = 3;
constexpr double kMemoryShare = 0.8;

struct Candidate {
  Plan plan;
  std::vector<double> samples;  // of the present stage
  double micros() const { return median(samples); }
};

class OracleRun {
 public:
  OracleRun(const Case& problem, const OracleOptions& options, Runtime* runtime)
      : options_(options), runtime_(runtime), gemm_(gemm_problem(problem, options.packed)) {
    result_.problem = problem;
  }

  // False where the case has to be left out.
  bool run() {
    const auto input = plan_input(*runtime_, gemm_);
    if (!input.ok() || !prepare()) return false;
    catalog_ = input.value().catalog;
    collect(input.value());
    screen();
    if (!result_.fault.empty()) return true;
    halve();
    decide();
    return true;
  }

  OracleCase& result() { return result_; }

 private:
  bool prepare() {
    const Case& problem = result_.problem;
    const MachineInfo& machine = this_machine();
    const int copies = rotation_copies(problem, machine.l2_bytes, machine.llc_bytes);
    if (2 * problem.bytes() * copies > kMemoryShare * static_cast<double>(available_memory())) {
      return false;
    }
    if (!operands_.allocate(problem, copies, options_.threads, options_.seed)) return false;
    for (const Operands& copy : operands_.copies()) {
      GemmArgs args;
      args.a = copy.a;
      args.b = copy.b;
      args.c = copy.c;
      args_.push_back(args);
    }
    return !options_.packed || pack();
  }

  bool pack() {
    const auto layout =
        b_transposed(result_.problem) ? MatrixLayout::transposed() : MatrixLayout::row_major();
    weights_.reserve(args_.size());
    for (GemmArgs& args : args_) {
      auto packed = runtime_->pack(args.b, gemm_.k, gemm_.n, DType::kF32, layout);
      if (!packed.ok()) return false;
      weights_.push_back(std::move(packed).value());
      args.b_packed = &weights_.back();
    }
    return true;
  }

  // The chosen plan is candidate 0.
  void collect(const PlanInput& input) {
    const Plan chosen = make_plan(input.shape, *catalog_, input.options);
    candidates_.push_back({chosen, {}});
    const auto ranked = rank_plans(input.shape, *catalog_, input.options, options_.max_plans);
    for (const Plan& plan : ranked) {
      if (!same_work(plan, chosen)) candidates_.push_back({plan, {}});
    }
    result_.capped = static_cast<int>(ranked.size()) >= options_.max_plans;
    result_.plans = static_cast<int>(candidates_.size());
    result_.chosen = to_string(chosen, *catalog_);
  }

  static bool same_work(const Plan& x, const Plan& y) {
    return x.pattern == y.pattern && x.units == y.units && x.region_count == y.region_count &&
           x.regions == y.regions;
  }

  void screen() {
    const Reference reference(result_.problem, operands_.copies()[0], options_.seed);
    for (Candidate& candidate : candidates_) {
      reference.spoil(operands_.copies()[0].c);
      const Status status = run_plan(*runtime_, gemm_, candidate.plan, args_[0]);
      const double error = reference.max_error(operands_.copies()[0].c);
      if (status.ok() && error <= reference.tolerance()) continue;
      result_.fault = (status.ok() ? "error " + std::to_string(error) : status.message()) + " by " +
                      to_string(candidate.plan, *catalog_);
      return;
    }
    measure(kScreenSamples);
  }

  // Interleaved, so that a drifting clock meets all candidates alike.
  void measure(int samples) {
    for (Candidate& candidate : candidates_) candidate.samples.clear();
    for (int i = 0; i < samples; ++i) {
      for (Candidate& candidate : candidates_) candidate.samples.push_back(sample(candidate));
    }
  }

  double sample(const Candidate& candidate) {
    const auto start = Clock::now();
    int runs = 0;
    double micros = 0;
    while (micros < kShortestSample) {
      (void)run_plan(*runtime_, gemm_, candidate.plan, args_[cursor_++ % args_.size()]).ok();
      ++runs;
      micros = micros_since(start);
    }
    return micros / runs;
  }

  // Keeps the chosen plan and the `count` fastest others.
  void keep(std::size_t count) {
    std::stable_sort(
        candidates_.begin() + 1, candidates_.end(),
        [](const Candidate& x, const Candidate& y) { return x.micros() < y.micros(); });
    candidates_.resize(std::min(candidates_.size(), count + 1));
  }

  void halve() {
    keep(std::max(candidates_.size() / 5, kFinalists));
    measure(kSecondSamples);
    keep(kFinalists);
  }

  void decide() {
    const double round = candidates_[0].micros() * static_cast<double>(candidates_.size()) * 1e-6;
    measure(static_cast<int>(
        std::clamp(kFinalSeconds / round, double(kSecondSamples), double(kFinalSamples))));
    const auto best = std::min_element(
        candidates_.begin(), candidates_.end(),
        [](const Candidate& x, const Candidate& y) { return x.micros() < y.micros(); });
    result_.chosen_us = candidates_[0].micros();
    result_.best_us = best->micros();
    result_.best = to_string(best->plan, *catalog_);
    result_.ratio = result_.best_us / result_.chosen_us;
  }

  const OracleOptions& options_;
  Runtime* runtime_;
  GemmProblem gemm_;
  const Catalog* catalog_ = nullptr;
  OperandSet operands_;
  std::vector<GemmArgs> args_;
  std::vector<PackedMatrix> weights_;
  std::vector<Candidate> candidates_;
  std::size_t cursor_ = 0;
  OracleCase result_;
};

}  // namespace

OracleSummary run_oracle(const std::vector<Case>& cases, const OracleOptions& options,
                         Runtime* runtime) {
  OracleSummary summary;
  summary.packed = options.packed;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (options.progress) {
      options.progress(static_cast<double>(i) / static_cast<double>(cases.size()), "oracle");
    }
    OracleRun run(cases[i], options, runtime);
    if (!run.run()) {
      ++summary.left_out;
      continue;
    }
    summary.plans += run.result().plans;
    if (run.result().fault.empty()) ratios.push_back(run.result().ratio);
    summary.cases.push_back(std::move(run.result()));
  }
  summary.geomean = geomean(ratios);
  summary.min = percentile(ratios, 0);
  return summary;
}

double plan_micros(Runtime* runtime, const Case& problem, bool packed) {
  constexpr int kRepeats = 15;
  const GemmProblem gemm = gemm_problem(problem, packed);
  const Runtime::Impl& impl = runtime->impl();
  const PlanOptions options = impl.options_for(impl.effective_units(0), false);
  std::vector<double> samples;
  for (int i = 0; i < kRepeats; ++i) {
    const auto start = Clock::now();
    const auto plan = impl.make(gemm, options);
    samples.push_back(micros_since(start));
    if (!plan.ok()) return -1;
  }
  return median(samples);
}

}  // namespace mikpoly::bench
