#include "planner/search.h"

#include <algorithm>
#include <limits>

#include "planner/candidates.h"
#include "planner/cost_model.h"
#include "planner/draft.h"

namespace mikpoly {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Kernels searched: bounds the stack a search takes. Further ones, the slowest asymptotically, are
// not looked at.
constexpr int kMaxKernels = 256;
constexpr int kFirstKernels = 6;      // kernels tried for the first region of a cut
constexpr double kCloseEnough = 0.99;  // the search ends where the bound is this near

class Search {
 public:
  Search(const Shape& shape, const Catalog& catalog, const PlanOptions& options)
      : shape_(shape),
        catalog_(catalog),
        options_(options),
        floor_(shape, catalog, options),
        m_(static_cast<double>(shape.m)),
        n_(static_cast<double>(shape.n)),
        k_(static_cast<double>(shape.k)),
        best_(Pattern::kI, 1) {}

  Plan run() {
    rate_kernels();
    const UnitChoices choices = unit_choices(catalog_.device(), options_);
    for (const int units : choices) search_single(units);
    for (const int units : choices) search_cuts(units);
    return finish(best_, shape_, catalog_, options_);
  }

 private:
  // A kernel on this shape.
  struct Rating {
    double ns;       // a full block's task over the whole depth
    double sum_m;    // blocks along m, the last one by its share
    double sum_n;
    double work;     // of the whole output on one unit
    double longest;  // task
    double rate;     // least ns per output on one unit
  };

  bool allows(Pattern pattern) const {
    return (options_.patterns >> static_cast<unsigned>(pattern) & 1u) != 0;
  }

  void rate_kernels() {
    const auto kernels = catalog_.ranked();
    count_ = std::min(static_cast<int>(kernels.size()), kMaxKernels);
    for (int i = 0; i < count_; ++i) {
      const HotKernel& kernel = kernels[i];
      Rating& rating = ratings_[i];
      rating.ns = kernel.block_ns(k_, 1);
      rating.sum_m = kernel.m.sum(m_);
      rating.sum_n = kernel.n.sum(n_);
      rating.work = rating.sum_m * rating.sum_n * rating.ns * kernel.inv_resident;
      rating.longest = kernel.m.largest(m_) * kernel.n.largest(n_) * rating.ns;
      rating.rate =
          kernel.m.least_rate(m_) * kernel.n.least_rate(n_) * rating.ns * kernel.inv_resident;
      least_rate_ = std::min(least_rate_, rating.rate);
    }
  }

  // Costs the draft and keeps it where it is the best so far.
  void consider(const Draft& draft, double moving, double launch) {
    const double compute = compute_ns(draft.all(), options_.model, draft.units);
    const double cost = std::max(compute, moving) + launch;
    if (cost >= best_ns_) return;
    best_ns_ = cost;
    best_ = draft;
  }

  void search_single(int units) {
    const double moving = floor_.bytes(m_, n_) * floor_.ns_per_byte(units);
    const double launch = launch_ns(catalog_.device(), units);
    for (int i = 0; i < count_; ++i) {
      const HotKernel& kernel = catalog_.ranked()[i];
      const Rating& rating = ratings_[i];
      const double bound = std::max({rating.work / units, rating.longest, moving}) + launch;
      if (bound < best_ns_) try_single(kernel, rating.ns, 1, units, moving, launch);
      if (!options_.allow_k_split) continue;
      const double blocks = kernel.m.cover(m_) * kernel.n.cover(n_);
      for (const double slices : slice_choices(kernel, k_, blocks, units * kernel.resident)) {
        try_single(kernel, kernel.block_ns(k_, slices), slices, units, moving, launch);
      }
    }
  }

  void try_single(const HotKernel& kernel, double ns, double slices, int units, double moving,
                  double launch) {
    Draft draft(Pattern::kI, units);
    draft.add(0, 0, {&kernel, m_, n_, slices, ns});
    consider(draft, moving, launch);
  }

  void search_cuts(int units) {
    const double launch = launch_ns(catalog_.device(), units);
    if (least_rate_ * m_ * n_ / units + launch >= best_ns_ * kCloseEnough) return;
    for (int i = 0; i < count_; ++i) {
      const HotKernel& kernel = catalog_.ranked()[i];
      const double slots = units * kernel.resident;
      if (allows(Pattern::kII)) {
        for (const double cut : cut_choices(kernel.m, m_, kernel.n.cover(n_), slots)) {
          try_second(i, cut, n_, units, launch);
        }
      }
      if (allows(Pattern::kIII)) {
        for (const double cut : cut_choices(kernel.n, n_, kernel.m.cover(m_), slots)) {
          try_second(i, m_, cut, units, launch);
        }
      }
    }
  }

  // Pattern II or III: the first kernel on rows x cols, each kernel in turn on what is left.
  void try_second(int first, double rows, double cols, int units, double launch) {
    const bool below = rows < m_;
    const double rest_m = below ? m_ - rows : m_;
    const double rest_n = below ? n_ : n_ - cols;
    const double bytes = below ? floor_.bytes(m_, 2 * n_) : floor_.bytes(2 * m_, n_);
    const double moving = bytes * floor_.ns_per_byte(units);
    if (moving + launch >= best_ns_) return;
    const HotKernel& kernel = catalog_.ranked()[first];
    const double ns = ratings_[first].ns;
    const double work = kernel.work(rows, cols, ns);
    if ((work + rest_m * rest_n * least_rate_) / units + launch >= best_ns_) return;
    for (int i = 0; i < count_; ++i) {
      const HotKernel& second = catalog_.ranked()[i];
      const double total = work + second.work(rest_m, rest_n, ratings_[i].ns);
      if (total / units + launch >= best_ns_) continue;
      Draft draft(below ? Pattern::kII : Pattern::kIII, units);
      draft.add(0, 0, {&kernel, rows, cols, 1, ns});
      draft.add(below ? rows : 0, below ? 0 : cols, {&second, rest_m, rest_n, 1, ratings_[i].ns});
      consider(draft, moving, launch);
    }
  }

  const Shape shape_;
  const Catalog& catalog_;
  const PlanOptions& options_;
  const BandwidthFloor floor_;
  const double m_;
  const double n_;
  const double k_;
  int count_ = 0;
  std::array<Rating, kMaxKernels> ratings_;
  double least_rate_ = kNever;
  double best_ns_ = kNever;
  Draft best_;
};

}  // namespace

Plan make_plan(const Shape& shape, const Catalog& catalog, const PlanOptions& options) {
  if (shape.m <= 0 || shape.n <= 0 || catalog.kernels().empty()) {
    Plan plan;
    plan.shape = shape;
    return plan;
  }
  return Search(shape, catalog, options).run();
}

std::vector<Plan> rank_plans(const Shape& shape, const Catalog& catalog, const PlanOptions& options,
                             int n) {
  if (n <= 0) return {};
  return {make_plan(shape, catalog, options)};
}

}  // namespace mikpoly
