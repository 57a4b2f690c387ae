#include "bench/tune/tune.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "backends/cpu/analytic.h"
#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/selection.h"
#include "bench/tune/fit.h"
#include "bench/tune/measure.h"
#include "core/backend/profile_io.h"
#include "mikpoly/version.h"

namespace mikpoly::tune {
namespace {

using cpu::BlockKernel;
using cpu::Kind;

constexpr int kRankingShapes = 160;  // synthetic shapes of the ranking
constexpr int kMeasured = 90;  // candidates measured a kind, after pruning by the analytic cost
constexpr int64_t kMaxDepth = 2048;  // deepest timed block; costs are linear beyond
constexpr double kLongTaskNs = 1e6;  // deeper samples of longer tasks would cost most of the budget
constexpr std::size_t kEnoughSamples = 6;
constexpr int64_t kMaxBlock = 1024;  // candidates' largest um and un

struct Measured {
  BlockKernel kernel;
  MicroKernel cost;
  double fit_error = 0;
};

// Candidates that the analytic cost puts among the best for some synthetic shape, then those with
// the best mean, up to kMeasured.
std::vector<Measured> prune(Kind kind, const cpu::KernelSet& set, const cpu::CacheSizes& caches,
                            const std::vector<Shape>& shapes, const DeviceModel& device) {
  std::vector<Measured> all;
  std::vector<MicroKernel> costs;
  for (const BlockKernel& k : cpu::candidates(kind, set, caches)) {
    Measured m{k, cpu::describe(k, kind, set), 0};
    cpu::analytic_cost(k, kind, set, &m.cost);
    costs.push_back(m.cost);
    all.push_back(std::move(m));
  }
  std::vector<Measured> kept;
  std::vector<bool> taken(all.size(), false);
  const auto take = [&](size_t i) {
    if (taken[i] || static_cast<int>(kept.size()) >= kMeasured) return;
    taken[i] = true;
    kept.push_back(all[i]);
  };
  for (const int i : cpu::select_kernels(costs, shapes, device, kMeasured / 2)) {
    take(static_cast<size_t>(i));
  }
  // The analytic cost is blind to what suits very few rows: every register tile gets a hearing.
  for (size_t i = 0; i < all.size(); ++i) {
    const BlockKernel& k = all[i].kernel;
    const bool one_row_tile = k.um == k.tile_rows && k.uk == 1024;
    if (one_row_tile && k.un >= 128 && k.un <= 512 && k.a == cpu::ASource::kDirect) take(i);
  }
  std::vector<std::pair<double, size_t>> by_mean;
  for (size_t i = 0; i < all.size(); ++i) {
    double sum = 0;
    for (const Shape& s : shapes) sum += std::log(cpu::single_region_ns(costs[i], s, device));
    by_mean.emplace_back(sum, i);
  }
  std::sort(by_mean.begin(), by_mean.end());
  for (const auto& [sum, i] : by_mean) take(i);
  return kept;
}

void measure_curve(BlockTimer& timer, double budget_ns, Measured* m) {
  std::vector<CurveSample> samples;
  for (int64_t depth = 16; depth <= kMaxDepth; depth *= 2) {
    const double ns = timer.time(m->kernel, m->kernel.um, m->kernel.un, depth, budget_ns);
    samples.push_back({static_cast<double>(depth) / m->kernel.uk, ns});
    if (ns > kLongTaskNs && samples.size() >= kEnoughSamples) break;  // linear from here on
  }
  const CurveFit fit = fit_curve(samples);
  m->cost.task_time = fit.curve;
  m->fit_error = fit.error;
}

// Extents from `first`, doubling, to the block: at most as many as a share curve holds. Where there
// are more, the middle ones give way, for small extents differ most.
std::vector<int> extents(int first, int block) {
  std::vector<int> all;
  for (int x = first; x < block; x *= 2) all.push_back(x);
  constexpr std::size_t kMost = CostCurve::kMaxPieces;
  while (all.size() > kMost) all.erase(all.end() - 2);
  all.push_back(block);
  return all;
}

// Shares of the full block's time at the extents; time(x) runs a block of that many rows or
// columns.
template <class Time>
CostCurve measure_shares(const std::vector<int>& at, Time time) {
  std::vector<SharePoint> points;
  for (const int x : at) points.push_back({static_cast<double>(x), time(x)});
  for (SharePoint& p : points) p.share /= points.back().share;
  return share_curve(points);
}

void measure_partial_blocks(BlockTimer& timer, double budget_ns, Measured* m) {
  const BlockKernel& k = m->kernel;
  const int64_t depth = std::min<int64_t>(k.uk, 256);
  m->cost.row_share = measure_shares(extents(m->cost.tile_m, k.um), [&](int rows) {
    return timer.time(k, rows, k.un, depth, budget_ns);
  });
  m->cost.col_share = measure_shares(extents(m->cost.tile_n, k.un), [&](int cols) {
    return timer.time(k, k.um, cols, depth, budget_ns);
  });
}

DeviceModel measure_device(const cpu::KernelSet& set, int threads, const cpu::CacheSizes& caches) {
  DeviceModel d = cpu::analytic_device(threads, caches);
  const double pair = threads > 1 ? fork_join_ns(threads) : 0;
  if (threads > 1) d.launch_ns_per_unit = pair / (threads - 1);
  const int64_t cached = std::max<int64_t>(caches.l2 * 2, caches.l3 / (4 * threads));
  d.levels[0].bytes_per_ns = read_bandwidth(set, threads, cached);
  d.levels[0].unit_bytes_per_ns = read_bandwidth(set, 1, cached);
  const int64_t beyond = std::max<int64_t>(caches.l3 * 4 / threads, int64_t{64} << 20);
  d.levels[1].bytes_per_ns = read_bandwidth(set, threads, beyond);
  d.levels[1].unit_bytes_per_ns = read_bandwidth(set, 1, beyond);
  return d;
}

std::string now() {
  const std::time_t t = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&t, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

// Six digits are more than a timing has, and keep profiles small.
double rounded(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return std::strtod(text, nullptr);
}

CostCurve rounded(CostCurve curve) {
  for (CostCurve::Piece& p : curve.pieces) {
    p = {rounded(p.from_step), rounded(p.base_ns), rounded(p.ns_per_step)};
  }
  return curve;
}

KernelCost to_cost(const Measured& m) {
  KernelCost c;
  c.name = m.cost.name;
  c.task_time = rounded(m.cost.task_time);
  c.row_share = rounded(m.cost.row_share);
  c.col_share = rounded(m.cost.col_share);
  c.slice_ns = rounded(m.cost.slice_ns);
  c.fit_error = rounded(m.fit_error);
  return c;
}

class Tuner {
 public:
  explicit Tuner(const TuneOptions& options)
      : options_(options),
        set_(*cpu::requested_kernel_set()),
        caches_(cpu::cache_sizes()),
        threads_(options.threads > 0 ? options.threads : cpu::usable_threads()),
        shapes_(cpu::synthetic_shapes(kRankingShapes, options.seed)) {}

  Result<Profile> run(const std::string& output) {
    const std::string partial = output + ".partial";
    Profile profile = start(partial);
    if (Status s = save_profile(profile, partial); !s.ok()) return s;
    if (profile.catalogs.empty()) {
      report(0, "bandwidths and launch cost");
      profile.device_model = measure_device(set_, threads_, caches_);
    }
    for (int i = 0; i < cpu::kKinds; ++i) {
      const Kind kind = Kind::of(i);
      const std::string name = cpu::catalog_name(DType::kF32, DType::kF32, kind);
      if (profile.catalogs.count(name) != 0) continue;
      profile.catalogs[name] = tune_kind(kind, profile.device_model, i);
      profile.date = now();
      if (Status s = save_profile(profile, partial); !s.ok()) return s;
    }
    if (Status s = save_profile(profile, output); !s.ok()) return s;
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    profile.path = output;
    return profile;
  }

 private:
  // An interrupted run's parts, or an empty profile of this device.
  Profile start(const std::string& partial) const {
    Profile fresh;
    fresh.backend = "cpu";
    fresh.device = cpu::device_identity(set_);
    fresh.table_hash = cpu::table_hash(set_);
    fresh.library = version();
    fresh.date = now();
    fresh.device_model = cpu::analytic_device(threads_, caches_);
    if (options_.restart) return fresh;
    Result<Profile> old = load_profile(partial);
    const bool usable = old.ok() && old.value().device == fresh.device &&
                        old.value().table_hash == fresh.table_hash &&
                        old.value().device_model.units == threads_;
    return usable ? std::move(old).value() : fresh;
  }

  void report(double share, const std::string& what) const {
    if (options_.progress) options_.progress(share, what);
  }

  std::vector<KernelCost> tune_kind(Kind kind, const DeviceModel& device, int index) const {
    std::vector<Measured> all = prune(kind, set_, caches_, shapes_, device);
    BlockTimer timer(set_, kind, threads_, kMaxBlock, kMaxBlock, kMaxDepth, caches_.l2);
    // About 16 timed blocks a candidate.
    const double budget_ns =
        options_.budget_s * 1e9 / cpu::kKinds / static_cast<double>(all.size()) / 16;
    for (size_t j = 0; j < all.size(); ++j) {
      measure_curve(timer, budget_ns, &all[j]);
      measure_partial_blocks(timer, budget_ns, &all[j]);
      cpu::analytic_slice_cost(all[j].kernel, device, &all[j].cost);
      report((index + static_cast<double>(j + 1) / static_cast<double>(all.size())) / cpu::kKinds,
             to_string(kind));
    }
    std::vector<MicroKernel> costs;
    for (const Measured& m : all) costs.push_back(m.cost);
    std::vector<KernelCost> kept;
    for (const int i : cpu::select_kernels(costs, shapes_, device, options_.keep)) {
      kept.push_back(to_cost(all[static_cast<size_t>(i)]));
    }
    return kept;
  }

  const TuneOptions& options_;
  const cpu::KernelSet& set_;
  cpu::CacheSizes caches_;
  int threads_;
  std::vector<Shape> shapes_;
};

}  // namespace

Result<Profile> tune(const TuneOptions& options) {
  if (cpu::requested_kernel_set() == nullptr) {
    return Status{StatusCode::kUnsupported,
                  "MIKPOLY_ISA names an instruction set that can't run here"};
  }
  const cpu::KernelSet& set = *cpu::requested_kernel_set();
  std::string output = options.output;
  if (output.empty()) output = user_profile_path(cpu::device_identity(set));
  return Tuner(options).run(output);
}

}  // namespace mikpoly::tune
