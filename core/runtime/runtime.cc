#include "mikpoly/runtime.h"

#include <algorithm>
#include <cstdlib>

#include "core/backend/profile_io.h"
#include "core/runtime/runtime_impl.h"
#include "core/runtime/tools.h"
#include "planner/explain.h"

namespace mikpoly {
namespace {

Status invalid(std::string message) { return {StatusCode::kInvalidArgument, std::move(message)}; }

Status check_packed(const GemmCall& call, const PackedMatrix* packed, const Backend& backend) {
  if (packed == nullptr || packed->impl() == nullptr) {
    return invalid("b_packed is null or empty; the problem's b is packed, so it must be made by pack()");
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
  return backend.check_packed(*packed->impl());
}

Status check_pointers(const GemmCall& call, const GemmArgs& args, const Backend& backend) {
  if (args.c == nullptr) return invalid("c is null; it must point to the output");
  if (args.threads < 0) {
    return invalid("threads is " + std::to_string(args.threads) + "; it must be 0 or more");
  }
  if (args.alpha == 0.0F || call.shape.k == 0) return {};
  if (args.a == nullptr) return invalid("a is null; it must point to A where k and alpha are not 0");
  if (call.b_packed) return check_packed(call, args.b_packed, backend);
  if (args.b == nullptr) return invalid("b is null; it must point to B where k and alpha are not 0");
  return {};
}

bool is_empty(const Shape& shape) { return shape.m == 0 || shape.n == 0; }

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The entry named, or for "auto" the usable one with the highest score.
Result<const BackendEntry*> choose_backend(const std::string& name) {
  std::size_t count = 0;
  const BackendEntry* table = backend_table(&count);
  const BackendEntry* best = nullptr;
  int best_score = 0;
  std::string names;
  for (std::size_t i = 0; i < count; ++i) {
    names += std::string(i == 0 ? "" : ", ") + table[i].name;
    if (name != "auto" && name != table[i].name) continue;
    const BackendInfo info = table[i].probe();
    if (name == table[i].name && info.score == 0) {
      return Status{StatusCode::kUnsupported, "backend " + name + " can't run here: " + info.reason};
    }
    if (info.score > best_score) {
      best = &table[i];
      best_score = info.score;
    }
  }
  if (best != nullptr) return best;
  return invalid("backend is \"" + name + "\"; it must be auto or one of: " + names);
}

Status load_costs(const std::string& path, Backend* backend, std::string* name) {
  Result<Profile> profile = find_profile(path, backend->info());
  if (!profile.ok()) return profile.status();
  if (profile.value().catalogs.empty()) return {};
  const Status used = backend->use_profile(profile.value());
  if (used.ok()) *name = profile.value().path;
  return used;
}

}  // namespace

int Runtime::Impl::effective_units(int requested) const {
  const int available = backend->available_units();
  return requested > 0 ? std::min(requested, available) : available;
}

Result<CachedPlan> Runtime::Impl::make(const GemmProblem& problem, int units, bool reads_c) const {
  Result<CanonicalGemm> gemm = canonicalize(problem);
  if (!gemm.ok()) return gemm.status();
  CachedPlan made{gemm.value(), {}};
  made.plan.shape = made.gemm.call.shape;
  if (is_empty(made.gemm.call.shape)) return made;
  const Result<const Catalog*> catalog = backend->catalog(made.gemm.call);
  if (!catalog.ok()) return catalog.status();
  PlanOptions with = options;
  with.max_units = units;
  with.reads_c = reads_c;
  made.plan = make_plan(made.gemm.call.shape, *catalog.value(), with);
  return made;
}

Status Runtime::Impl::execute(const CanonicalGemm& gemm, const Plan& plan, const GemmArgs& args,
                              int units, Workspace workspace, Stream stream) const {
  const GemmCall& call = gemm.call;
  if (is_empty(call.shape)) return {};
  if (Status s = check_pointers(call, args, *backend); !s.ok()) return s;
  if (call.shape.k == 0 || args.alpha == 0.0F) {
    return backend->scale(call, args.c, args.beta, stream);
  }
  if (!gemm.swapped && plan.units <= units) {
    return backend->run(call, plan, args, workspace, stream);
  }
  GemmArgs swapped = args;
  if (gemm.swapped) std::swap(swapped.a, swapped.b);
  Plan fewer = plan;
  fewer.units = std::min(plan.units, units);
  return backend->run(call, fewer, swapped, workspace, stream);
}

Result<Runtime> Runtime::create(const RuntimeOptions& options) {
  if (options.threads < 0) {
    return invalid("threads is " + std::to_string(options.threads) + "; it must be 0 or more");
  }
  std::string name = options.backend;
  const std::string asked = environment("MIKPOLY_BACKEND");
  if (name == "auto" && !asked.empty()) name = asked;
  const Result<const BackendEntry*> entry = choose_backend(name);
  if (!entry.ok()) return entry.status();
  Result<std::unique_ptr<Backend>> backend = entry.value()->create({options.threads});
  if (!backend.ok()) return backend.status();
  auto impl = std::make_unique<Impl>(std::move(backend).value(), options.cache_bytes);
  if (Status s = load_costs(options.profile_path, impl->backend.get(), &impl->profile_name);
      !s.ok()) {
    return s;
  }
  return Runtime(std::move(impl));
}

std::vector<BackendStatus> Runtime::backends() {
  std::size_t count = 0;
  const BackendEntry* table = backend_table(&count);
  std::vector<BackendStatus> all;
  for (std::size_t i = 0; i < count; ++i) {
    const BackendInfo info = table[i].probe();
    all.push_back({info.name, info.score, info.reason});
  }
  std::stable_sort(all.begin(), all.end(), [](const BackendStatus& x, const BackendStatus& y) {
    return x.score > y.score;
  });
  return all;
}

Runtime::Runtime(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Runtime::Runtime(Runtime&&) noexcept = default;
Runtime& Runtime::operator=(Runtime&&) noexcept = default;
Runtime::~Runtime() = default;

Status Runtime::gemm(const GemmProblem& problem, const GemmArgs& args, Stream stream) {
  const int units = impl_->effective_units(args.threads);
  const bool reads_c = args.beta != 0.0F;
  const PlanKey key(problem, units, reads_c);
  CachedPlan cached;
  if (!impl_->cache.find(key, &cached)) {
    Result<CachedPlan> made = impl_->make(problem, units, reads_c);
    if (!made.ok()) return made.status();
    cached = made.value();
    impl_->cache.insert(key, cached);
  }
  Workspace workspace;
  if (cached.plan.workspace > 0) {
    workspace = thread_workspace(static_cast<std::size_t>(cached.plan.workspace));
    if (workspace.data == nullptr) {
      return {StatusCode::kOutOfMemory, "no memory for a workspace of " +
                                            std::to_string(cached.plan.workspace) + " bytes"};
    }
  }
  return impl_->execute(cached.gemm, cached.plan, args, units, workspace, stream);
}

Result<GemmPlan> Runtime::plan(const GemmProblem& problem) const {
  auto plan = std::make_shared<GemmPlan::Impl>();
  plan->problem = problem;
  plan->backend = impl_->backend.get();
  plan->options = impl_->options;
  plan->options.max_units = impl_->effective_units(0);
  Result<CachedPlan> made = impl_->make(problem, plan->options.max_units, false);
  if (!made.ok()) return made.status();
  plan->cached = made.value();
  if (!is_empty(plan->cached.gemm.call.shape)) {
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
  if (workspace.bytes < static_cast<std::size_t>(cached.plan.workspace) ||
      (cached.plan.workspace > 0 && workspace.data == nullptr)) {
    return invalid("workspace is " + std::to_string(workspace.bytes) + " bytes; the plan needs " +
                   std::to_string(cached.plan.workspace));
  }
  const int units = impl_->effective_units(args.threads);
  return impl_->execute(cached.gemm, cached.plan, args, units, workspace, stream);
}

Result<PackedMatrix> Runtime::pack(const void* b, int64_t k, int64_t n, DType type,
                                   const MatrixLayout& layout) const {
  for (const auto& [name, value] : {std::pair("k", k), std::pair("n", n)}) {
    if (value < 0) {
      return invalid(std::string(name) + " is " + std::to_string(value) +
                     "; it must be 0 or more");
    }
  }
  if (size_of(type) == 0) {
    return invalid("type is " + std::to_string(static_cast<int>(type)) +
                   "; it must be one of DType's values");
  }
  const Result<Strides> strides = canonical_strides("b", layout, k, n, type);
  if (!strides.ok()) return strides.status();
  if (b == nullptr && k > 0 && n > 0) return invalid("b is null; it must point to k x n elements");
  return impl_->backend->pack(b, k, n, type, strides.value());
}

CacheStats Runtime::cache_stats() const { return impl_->cache.stats(); }
std::string Runtime::backend_name() const { return impl_->backend->info().name; }
std::string Runtime::device() const { return impl_->backend->info().device; }
std::string Runtime::profile() const { return impl_->profile_name; }
int Runtime::threads() const { return impl_->backend->units(); }

const Backend& backend_of(Runtime& runtime) { return *runtime.impl().backend; }

Result<PlanInput> plan_input(Runtime& runtime, const GemmProblem& problem) {
  const Runtime::Impl& impl = runtime.impl();
  const Result<CanonicalGemm> gemm = canonicalize(problem);
  if (!gemm.ok()) return gemm.status();
  const Result<const Catalog*> catalog = impl.backend->catalog(gemm.value().call);
  if (!catalog.ok()) return catalog.status();
  PlanInput input{catalog.value(), gemm.value().call.shape, impl.options};
  input.options.max_units = impl.effective_units(0);
  return input;
}

Status run_plan(Runtime& runtime, const GemmProblem& problem, const Plan& plan,
                const GemmArgs& args) {
  const Result<CanonicalGemm> gemm = canonicalize(problem);
  if (!gemm.ok()) return gemm.status();
  const Workspace workspace = thread_workspace(static_cast<std::size_t>(plan.workspace));
  return runtime.impl().execute(gemm.value(), plan, args,
                                runtime.impl().effective_units(args.threads), workspace, {});
}

void set_cost_model(Runtime& runtime, CostModel model) { runtime.impl().options.model = model; }

}  // namespace mikpoly
