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
  Impl(std::unique_ptr<Backend> b, std::size_t cache_bytes)
      : backend(std::move(b)), cache(cache_bytes) {}

  std::unique_ptr<Backend> backend;
  PlanCache cache;
  std::string profile_name = "analytic";
  PlanOptions options;  // of every plan; max_units and reads_c are set per call

  // Threads a call may use.
  int effective_units(int requested) const;
  // Canonical form and plan of a problem that is not in the cache.
  Result<CachedPlan> make(const GemmProblem& problem, int units, bool reads_c) const;
  // Checks pointers and runs. plan may have been made for more units than `units`.
  Status execute(const CanonicalGemm& gemm, const Plan& plan, const GemmArgs& args, int units,
                 Workspace workspace, Stream stream) const;
};

struct GemmPlan::Impl {
  GemmProblem problem;
  CachedPlan cached;
  PlanOptions options;
  const Catalog* catalog = nullptr;  // null where the output is empty
  const Backend* backend = nullptr;
};

// This thread's workspace of at least `bytes`, 64-byte aligned; grows, freed at thread exit. Its data
// is null when memory is out.
Workspace thread_workspace(std::size_t bytes);

}  // namespace mikpoly
