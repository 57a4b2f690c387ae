#include "core/runtime/tools.h"

#include "core/base/check.h"
#include "core/runtime/runtime_impl.h"
#include "core/runtime/workspace.h"

namespace mikpoly {

const Backend& backend_of(Runtime& runtime) { return *runtime.impl().backend; }

Result<PlanInput> plan_input(Runtime& runtime, const GemmProblem& problem) {
  const Runtime::Impl& impl = runtime.impl();
  const Result<CanonicalGemm> gemm = canonicalize(problem);
  if (!gemm.ok()) return gemm.status();
  const Result<const Catalog*> catalog = impl.backend->catalog(gemm.value().call);
  if (!catalog.ok()) return catalog.status();
  return PlanInput{catalog.value(), gemm.value().call.shape,
                   impl.options_for(impl.effective_units(0), false)};
}

Status run_plan(Runtime& runtime, const GemmProblem& problem, const Plan& plan,
                const GemmArgs& args) {
  const Result<CanonicalGemm> gemm = canonicalize(problem);
  if (!gemm.ok()) return gemm.status();
  Workspace workspace;
  if (plan.workspace > 0) {
    workspace = thread_workspace(plan.workspace);
    if (workspace.data == nullptr) {
      return {StatusCode::kOutOfMemory,
              "no memory for a workspace of " + std::to_string(plan.workspace) + " bytes"};
    }
  }
  const Runtime::Impl& impl = runtime.impl();
  return impl.execute(gemm.value(), plan, args, impl.effective_units(args.threads), workspace, {});
}

void set_cost_model(Runtime& runtime, CostModel model) {
  Runtime::Impl& impl = runtime.impl();
  impl.options.model = model;
  impl.cache = PlanCache(impl.cache_bytes);
}

}  // namespace mikpoly
