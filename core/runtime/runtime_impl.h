// The inside of Runtime and GemmPlan, shared by their methods and the tools.
#pragma once

#include <memory>
#include <string>

#include "core/backend/backend.h"
#include "core/base/canonical.h"
#include "core/runtime/plan_cache.h"
#include "mikpoly/runtime.h"
#include "planner/search.h"

namespace mikpoly {

struct Runtime::Impl {
  Impl(std::unique_ptr<Backend> b, std::size_t bytes)
      : backend(std::move(b)), cache_bytes(bytes), cache(bytes) {}

  std::unique_ptr<Backend> backend;
  std::size_t cache_bytes;
  PlanCache cache;
  std::string profile_name = "analytic";
  // Of every plan; max_units and reads_c are set per call. Cutting a problem of 20 us has to gain a
  // tenth to pay for the microseconds that the search for cuts takes once.
  PlanOptions options{.simple_below_ns = 20e3};

  // Threads a call may use.
  int effective_units(int requested) const;
  PlanOptions options_for(int units, bool reads_c) const;
  // Canonical form and plan of a problem that is not in the cache.
  Result<CachedPlan> make(const GemmProblem& problem, const PlanOptions& with) const;
  // Checks pointers and runs. plan may have been made for more units than `units`; it is not looked
  // at where runs_without_plan().
  Status execute(const CanonicalGemm& gemm, const Plan& plan, const GemmArgs& args, int units,
                 Workspace workspace, Stream stream) const;
};

// An empty output is left alone, and C is only scaled where k or alpha is 0.
inline bool runs_without_plan(const Shape& shape, double alpha) {
  return shape.m == 0 || shape.n == 0 || shape.k == 0 || alpha == 0;
}

struct GemmPlan::Impl {
  GemmProblem problem;
  CachedPlan cached;
  PlanOptions options;
  const Catalog* catalog = nullptr;  // null where the output is empty
  const Backend* backend = nullptr;
};

}  // namespace mikpoly
