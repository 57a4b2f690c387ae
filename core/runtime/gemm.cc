// Plans and runs one GEMM: the methods of Runtime that compute.
#include <algorithm>
#include <cstdint>
#include <string>

#include "core/base/check.h"
#include "core/base/epilogue.h"
#include "core/base/log.h"
#include "core/runtime/runtime_impl.h"
#include "core/runtime/workspace.h"

namespace mikpoly {
namespace {

Status invalid(std::string message) { return {StatusCode::kInvalidArgument, std::move(message)}; }

Status check_packed(const GemmCall& call, const PackedMatrix* packed, const Backend& backend) {
  if (packed == nullptr || packed->impl() == nullptr) {
    return invalid(
        "b_packed is null or empty; the problem's b is packed, so it must be made by "
        "pack()");
  }
  if (packed->rows() != call.shape.k || packed->cols() != call.shape.n) {
    return invalid("b_packed is " + std::to_string(packed->rows()) + " x " +
                   std::to_string(packed->cols()) + "; it must be k x n = " +
                   std::to_string(call.shape.k) + " x " + std::to_string(call.shape.n));
  }
  if (packed->dtype() != call.b_type) {
    return invalid(std::string("b_packed holds ") + to_string(packed->dtype()) + "; it must be " +
                   to_string(call.b_type));
  }
  return backend.check_packed(call, *packed->impl());
}

Status check_operands(const GemmCall& call, const GemmArgs& args, const Backend& backend) {
  if (args.a == nullptr)
    return invalid("a is null; it must point to A where k and alpha are not 0");
  if (call.b_packed) return check_packed(call, args.b_packed, backend);
  if (args.b == nullptr)
    return invalid("b is null; it must point to B where k and alpha are not 0");
  return {};
}

Status check_threads(const GemmArgs& args) {
  if (args.threads >= 0) return {};
  return invalid("threads is " + std::to_string(args.threads) +
                 "; it must be 0 (the runtime's) or more");
}

Status check_workspace(int64_t needed, const Workspace& workspace) {
  if (needed == 0) return {};
  const std::size_t given = workspace.data == nullptr ? 0 : workspace.bytes;
  if (given < static_cast<std::size_t>(needed)) {
    return invalid("workspace is " + std::to_string(given) + " bytes; the plan needs " +
                   std::to_string(needed));
  }
  if (reinterpret_cast<std::uintptr_t>(workspace.data) % 64 != 0) {
    return invalid("workspace.data is not 64-byte aligned; it must be");
  }
  return {};
}

// A plan without partial sums, for when there is no memory for them.
Status make_whole(const Runtime::Impl& impl, const GemmProblem& problem, PlanOptions with,
                  CachedPlan* cached) {
  with.allow_k_split = false;
  Result<CachedPlan> made = impl.make(problem, with);
  if (!made.ok()) return made.status();
  *cached = made.value();
  return {};
}

Status find_or_make(Runtime::Impl* impl, const PlanKey& key, CachedPlan* cached) {
  if (impl->cache.find(key, cached)) return {};
  Result<CachedPlan> made = impl->make(key.problem, impl->options_for(key.units, key.reads_c));
  if (!made.ok()) return made.status();
  *cached = made.value();
  impl->cache.insert(key, *cached);
  return {};
}

}  // namespace

int Runtime::Impl::effective_units(int requested) const {
  const int available = backend->available_units();
  return requested > 0 ? std::min(requested, available) : available;
}

PlanOptions Runtime::Impl::options_for(int units, bool reads_c) const {
  PlanOptions with = options;
  with.max_units = units;
  with.reads_c = reads_c;
  return with;
}

Result<CachedPlan> Runtime::Impl::make(const GemmProblem& problem, const PlanOptions& with) const {
  const Result<CanonicalGemm> gemm = canonicalize(problem);
  if (!gemm.ok()) return gemm.status();
  CachedPlan made{gemm.value(), {}};
  const GemmCall& call = made.gemm.call;
  made.plan.shape = call.shape;
  if (call.shape.m == 0 || call.shape.n == 0) return made;
  const Result<const Catalog*> catalog = backend->catalog(call);
  if (!catalog.ok()) return catalog.status();
  MIKPOLY_CHECK(!catalog.value()->kernels().empty(), "a backend offers a micro-kernel or refuses");
  made.plan = make_plan(call.shape, *catalog.value(), with);
  if (verbosity() >= 2) log_line(2, to_string(made.plan, *catalog.value()));
  return made;
}

Status Runtime::Impl::execute(const CanonicalGemm& gemm, const Plan& plan, const GemmArgs& args,
                              int units, Workspace workspace, Stream stream) const {
  const GemmCall& call = gemm.call;
  if (call.shape.m == 0 || call.shape.n == 0) return {};
  if (args.c == nullptr) return invalid("c is null; it must point to the output");
  CallArgs checked;
  MIKPOLY_TRY(canonical_epilogue(gemm, args, &checked));
  checked.c = args.c;
  if (runs_without_plan(call.shape, args.alpha)) return backend->scale(call, checked, stream);
  checked.a = gemm.swapped ? args.b : args.a;
  checked.b = gemm.swapped ? args.a : args.b;
  checked.b_packed = args.b_packed;
  MIKPOLY_TRY(check_operands(call, args, *backend));
  if (plan.units <= units) return backend->run(call, plan, checked, workspace, stream);
  Plan fewer = plan;
  fewer.units = units;
  return backend->run(call, fewer, checked, workspace, stream);
}

Status Runtime::gemm(const GemmProblem& problem, const GemmArgs& args, Stream stream) {
  MIKPOLY_TRY(check_threads(args));
  if (runs_without_plan({problem.m, problem.n, problem.k}, args.alpha)) {
    const Result<CanonicalGemm> gemm = canonicalize(problem);
    if (!gemm.ok()) return gemm.status();
    return impl_->execute(gemm.value(), {}, args, 1, {}, stream);
  }
  const int units = impl_->effective_units(args.threads);
  const PlanKey key{problem, units, args.beta != 0};
  CachedPlan cached;
  MIKPOLY_TRY(find_or_make(impl_.get(), key, &cached));
  Workspace workspace;
  if (cached.plan.workspace > 0) {
    workspace = thread_workspace(cached.plan.workspace);
    if (workspace.data == nullptr) {
      MIKPOLY_TRY(make_whole(*impl_, problem, impl_->options_for(units, key.reads_c), &cached));
    }
  }
  return impl_->execute(cached.gemm, cached.plan, args, units, workspace, stream);
}

Result<GemmPlan> Runtime::plan(const GemmProblem& problem) const {
  auto plan = std::make_shared<GemmPlan::Impl>();
  plan->problem = problem;
  plan->backend = impl_->backend.get();
  plan->options = impl_->options_for(impl_->effective_units(0), false);
  Result<CachedPlan> made = impl_->make(problem, plan->options);
  if (!made.ok()) return made.status();
  plan->cached = made.value();
  if (plan->cached.plan.region_count > 0) {
    plan->catalog = impl_->backend->catalog(plan->cached.gemm.call).value();
  }
  return GemmPlan(std::move(plan));
}

Status Runtime::run(const GemmPlan& plan, const GemmArgs& args, Workspace workspace,
                    Stream stream) {
  const CachedPlan& cached = plan.impl().cached;
  if (plan.impl().backend != impl_->backend.get()) {
    return invalid("plan was made by another runtime; it must be this one's");
  }
  MIKPOLY_TRY(check_threads(args));
  if (!runs_without_plan(cached.gemm.call.shape, args.alpha)) {
    MIKPOLY_TRY(check_workspace(cached.plan.workspace, workspace));
  }
  const int units = impl_->effective_units(args.threads);
  return impl_->execute(cached.gemm, cached.plan, args, units, workspace, stream);
}

Result<PackedMatrix> Runtime::pack(const void* b, int64_t k, int64_t n, DType type,
                                   const MatrixLayout& layout, std::optional<DType> a_type) const {
  for (const auto& [name, value] : {std::pair("k", k), std::pair("n", n)}) {
    if (value < 0) {
      return invalid(std::string(name) + " is " + std::to_string(value) + "; it must be 0 or more");
    }
  }
  if (size_of(type) == 0) {
    return invalid("type is " + std::to_string(static_cast<int>(type)) +
                   "; it must be one of DType's values");
  }
  const DType a = a_type.value_or(type == DType::kU8 ? DType::kS8 : type);
  if (size_of(a) == 0) {
    return invalid("a_type is " + std::to_string(static_cast<int>(a)) +
                   "; it must be one of DType's values");
  }
  const Result<Strides> strides = canonical_strides("layout", layout, k, n, type);
  if (!strides.ok()) return strides.status();
  if (b == nullptr && k > 0 && n > 0) return invalid("b is null; it must point to k x n elements");
  return impl_->backend->pack(b, k, n, a, type, strides.value());
}

}  // namespace mikpoly
