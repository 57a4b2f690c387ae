// Many distinct shapes through one runtime: planning time, cache, memory.
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/cli/common.h"
#include "bench/measure/clock.h"
#include "bench/measure/machine.h"
#include "bench/measure/operands.h"
#include "bench/report/statistics.h"
#include "bench/suites/rng.h"
#include "core/runtime/runtime_impl.h"

namespace mikpoly::bench {
namespace {

constexpr int kSizeBits = 8;  // sizes 1..256: a run takes tens of microseconds
constexpr int64_t kSize = int64_t{1} << kSizeBits;
constexpr int64_t kMaxShapes = int64_t{1} << (3 * kSizeBits);
constexpr int64_t kWarmUp = 1000;
constexpr int64_t kProgressStep = 1024;

struct SoakFlags {
  RuntimeFlags runtime;
  int64_t shapes = 100000;
  uint64_t seed = 1;
  std::string json;
};

// The index-th shape; distinct for distinct indices, as an odd factor, a sum and a folding of the
// upper bits onto the lower ones are bijections modulo a power of two.
GemmProblem shape_at(int64_t index, uint64_t seed) {
  constexpr auto kMask = static_cast<uint64_t>(kMaxShapes - 1);
  uint64_t x = (static_cast<uint64_t>(index) + Rng(seed).next()) & kMask;
  for (int round = 0; round < 2; ++round) {
    x = (x * 0x9E3779B1U) & kMask;
    x ^= x >> (3 * kSizeBits / 2);
  }
  GemmProblem problem;
  problem.m = 1 + static_cast<int64_t>(x % kSize);
  problem.n = 1 + static_cast<int64_t>((x >> kSizeBits) % kSize);
  problem.k = 1 + static_cast<int64_t>((x >> (2 * kSizeBits)) % kSize);
  return problem;
}

class Soak {
 public:
  Soak(const SoakFlags& flags, Runtime* runtime) : flags_(flags), runtime_(runtime) {
    Case largest;
    largest.m = largest.n = largest.k = kSize;
    largest.trans = "NN";
    ready_ = operands_.allocate(largest, 1, 1, flags.seed);
    // Touched now, so that it is not taken for growth.
    plan_us_.assign(static_cast<std::size_t>(flags.shapes), 0.0);
  }

  Status run() {
    if (!ready_) return Status(StatusCode::kOutOfMemory, "out of memory");
    const auto start = Clock::now();
    const int64_t warm_up = std::min(kWarmUp, flags_.shapes / 2);
    ProgressBar bar;
    for (int64_t i = 0; i < flags_.shapes; ++i) {
      if (i == warm_up) rss_before_ = resident_memory();
      const Status status = one(i);
      if (!status.ok()) return status;
      if (i % kProgressStep == 0) {
        bar.update(static_cast<double>(i) / static_cast<double>(flags_.shapes), "shapes");
      }
    }
    rss_after_ = resident_memory();
    seconds_ = seconds_since(start);
    cache_ = runtime_->cache_stats();
    hit_ns_ = time_hit();
    return {};
  }

  nlohmann::ordered_json json() const {
    nlohmann::ordered_json json;
    json["shapes"] = flags_.shapes;
    json["plan_us"] = {{"p50", percentile(plan_us_, 0.5)},
                       {"p99", percentile(plan_us_, 0.99)},
                       {"max", percentile(plan_us_, 1)}};
    json["hit_ns"] = hit_ns_;
    json["rss_growth_mb"] = megabytes(rss_after_ - rss_before_);
    json["rss_before_mb"] = megabytes(rss_before_);
    json["rss_after_mb"] = megabytes(rss_after_);
    json["cache_bytes"] = cache_.bytes;
    json["cache_hits"] = cache_.hits;
    json["cache_misses"] = cache_.misses;
    json["max_err"] = max_err_;
    json["seconds"] = seconds_;
    json["threads"] = runtime_->threads();
    json["backend"] = runtime_->backend_name();
    json["profile"] = runtime_->profile();
    return json;
  }

 private:
  static double megabytes(int64_t bytes) { return static_cast<double>(bytes) / 1048576.0; }

  Status one(int64_t index) {
    const GemmProblem problem = shape_at(index, flags_.seed);
    const Operands& data = operands_.copies()[0];
    GemmArgs args;
    args.a = data.a;
    args.b = data.b;
    args.c = data.c;
    const Runtime::Impl& impl = runtime_->impl();
    const PlanOptions options = impl.options_for(impl.effective_units(0), false);
    const auto start = Clock::now();
    const auto plan = impl.make(problem, options);  // what gemm() does where the cache has none
    plan_us_[static_cast<std::size_t>(index)] = micros_since(start);
    if (!plan.ok()) return plan.status();
    const Status status = runtime_->gemm(problem, args);
    if (!status.ok()) return status;
    return check(problem, problem.m - 1, problem.n - 1);
  }

  Status check(const GemmProblem& problem, int64_t row, int64_t col) {
    const Operands& data = operands_.copies()[0];
    double want = 0;
    for (int64_t i = 0; i < problem.k; ++i) {
      want += static_cast<double>(data.a[row * problem.k + i]) *
              static_cast<double>(data.b[i * problem.n + col]);
    }
    const double got = static_cast<double>(data.c[row * problem.n + col]);
    const double error = std::fabs(got - want);
    max_err_ = std::max(max_err_, error);
    const double tolerance = 3 * 0x1.0p-23 * static_cast<double>(problem.k + 1);
    if (error <= tolerance) return {};
    const auto plan = runtime_->plan(problem);
    return Status(StatusCode::kInternal, "element (" + std::to_string(row) + ", " +
                                             std::to_string(col) + ") is " + std::to_string(got) +
                                             ", not " + std::to_string(want) + ": " +
                                             (plan.ok() ? plan.value().to_string() : ""));
  }

  // A lookup of a plan that is in the cache; negative where it is not (a cache of no bytes).
  double time_hit() const {
    constexpr int kHits = 20000;
    const GemmProblem problem = shape_at(flags_.shapes - 1, flags_.seed);
    const Runtime::Impl& impl = runtime_->impl();
    const PlanKey key{problem, impl.effective_units(0), false};
    std::vector<double> samples;
    for (int repeat = 0; repeat < 5; ++repeat) {
      CachedPlan found;
      bool all = true;
      const auto start = Clock::now();
      for (int i = 0; i < kHits; ++i) all = impl.cache.find(key, &found) && all;
      samples.push_back(micros_since(start) * 1000 / kHits);
      if (!all) return -1;
    }
    return median(samples);
  }

  const SoakFlags& flags_;
  Runtime* runtime_;
  OperandSet operands_;
  bool ready_ = false;
  std::vector<double> plan_us_;
  CacheStats cache_;
  int64_t rss_before_ = 0;
  int64_t rss_after_ = 0;
  double seconds_ = 0;
  double hit_ns_ = 0;
  double max_err_ = 0;
};

int run(const SoakFlags& flags) {
  if (!flags.json.empty()) {
    const std::string obstacle = why_not_writable(flags.json);
    if (!obstacle.empty()) return usage_error("--json: " + obstacle);
  }
  auto runtime = open_runtime(flags.runtime);
  if (!runtime.ok()) return usage_error(runtime.status().message());
  Soak soak(flags, &runtime.value());
  const Status status = soak.run();
  if (!status.ok()) {
    std::cerr << "mikpoly: soak failed: " << status.message() << "\n";
    return kExitFailed;
  }
  const nlohmann::ordered_json json = soak.json();
  std::cout << json.dump(1) << "\n";
  if (flags.json.empty()) return kExitOk;
  const Status written = write_file(flags.json, json.dump(1) + "\n");
  return written.ok() ? kExitOk : usage_error(written.message());
}

}  // namespace

void add_soak(CLI::App* app, Action* action) {
  auto flags = std::make_shared<SoakFlags>();
  CLI::App* command = app->add_subcommand("soak", "Runs many distinct shapes through one runtime");
  command->add_option("--shapes", flags->shapes, "Distinct shapes, sizes 1 to 256")
      ->check(CLI::Range(int64_t{1}, kMaxShapes))
      ->capture_default_str();
  command->add_option("--json", flags->json, "Writes the result");
  command->add_option("--seed", flags->seed, "Seed")->capture_default_str();
  add_runtime_flags(command, &flags->runtime);
  command->callback([=] { *action = [flags] { return run(*flags); }; });
}

}  // namespace mikpoly::bench
