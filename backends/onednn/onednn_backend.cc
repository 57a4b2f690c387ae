#include "backends/onednn/onednn_backend.h"

#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <string>

#include "backends/onednn/matmul.h"
#include "backends/onednn/matmul_cache.h"
#include "backends/onednn/memory.h"

namespace mikpoly {
namespace onednn {
namespace {

constexpr int kScore = 50;             // below the cpu backend's 100
constexpr int64_t kTypicalRows = 128;  // the m whose preferred layout pack() takes

std::string version_text() {
  const dnnl_version_t* v = dnnl_version();
  return std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
}

BackendInfo probe() {
  BackendInfo info;
  info.name = "onednn";
  info.score = kScore;
  info.reason = "oneDNN " + version_text();
  info.device = "host processor by oneDNN " + version_text();
  info.table_hash = "oneDNN " + version_text();
  return info;
}

// One micro-kernel that takes the whole problem on all threads. Its cost is a guess of the right
// order; with one candidate nothing depends on it.
Catalog whole_problem_catalog(int threads) {
  constexpr int kHuge = 1 << 30;
  constexpr double kProductsPerNs = 20;
  MicroKernel k;
  k.name = "gemm_f32_f32_f32_onednn_whole";
  k.um = k.un = kHuge;
  k.uk = 1;
  k.task_time.count = 1;
  k.task_time.pieces[0] = {0, 0, double{kHuge} * kHuge / (kProductsPerNs * threads)};
  DeviceModel device;
  device.units = device.min_units = threads;
  return Catalog({k}, device, OperandBytes{});
}

// True in a forked child: the OpenMP pool may have stayed behind with the parent.
std::atomic<bool> forked{false};

void watch_forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forked.store(true); });
  (void)registered;
}

// omp_set_num_threads for a scope; oneDNN asks OpenMP at creation and at execution.
class ScopedThreads {
 public:
  explicit ScopedThreads(int threads) : saved_(omp_get_max_threads()) {
    if (threads != saved_) omp_set_num_threads(threads);
  }
  ~ScopedThreads() {
    if (omp_get_max_threads() != saved_) omp_set_num_threads(saved_);
  }
  ScopedThreads(const ScopedThreads&) = delete;
  ScopedThreads& operator=(const ScopedThreads&) = delete;

 private:
  int saved_;
};

struct Packed : PackedMatrix::Impl {
  dnnl::memory::desc desc;
};

dnnl::stream& thread_stream() {
  thread_local dnnl::stream stream(cpu_engine());
  return stream;
}

Status to_status(const dnnl::error& e) {
  const StatusCode code = e.status == dnnl_out_of_memory   ? StatusCode::kOutOfMemory
                          : e.status == dnnl_unimplemented ? StatusCode::kUnsupported
                                                           : StatusCode::kDeviceError;
  return {code, std::string("oneDNN: ") + e.message};
}

// Runs work, which may throw what oneDNN throws.
template <class Work>
Status guarded(Work work) {
  try {
    return work();
  } catch (const dnnl::error& e) {
    return to_status(e);
  } catch (const std::bad_alloc&) {
    return {StatusCode::kOutOfMemory, "no memory for a copy of an operand or oneDNN's scratchpad"};
  }
}

struct Operands {
  const float* a;
  const float* b;
  float* c;
};

// The operand as it is, or a dense copy in this thread's memory; *strides then tell of the copy.
const float* plain(const float* values, int64_t rows, int64_t cols, Use use, Strides* strides) {
  if (is_plain(rows, cols, *strides)) return values;
  const auto bytes = static_cast<std::size_t>(rows * cols) * sizeof(float);
  auto* copy = static_cast<float*>(thread_memory(use, bytes));
  const Strides dense{cols, 1};
  copy_matrix(values, *strides, copy, dense, rows, cols);
  *strides = dense;
  return copy;
}

void reorder(dnnl::memory from, dnnl::memory to) {
  dnnl::reorder(from, to).execute(thread_stream(), from, to);
  thread_stream().wait();
}

// A dense copy in this thread's memory.
const float* unpack(const Packed& packed) {
  const dnnl::memory::desc dense = matrix_desc(packed.rows, packed.cols, {packed.cols, 1});
  void* copy = thread_memory(Use::kB, dense.get_size());
  reorder({packed.desc, cpu_engine(), packed.data.get()}, {dense, cpu_engine(), copy});
  return static_cast<const float*>(copy);
}

void execute(const Matmul& matmul, const Operands& op) {
  const dnnl::engine& engine = cpu_engine();
  void* scratch = thread_memory(Use::kScratchpad, matmul.scratchpad.get_size());
  const auto at = [&](const dnnl::memory::desc& desc, const void* data) {
    return dnnl::memory(desc, engine, const_cast<void*>(data));
  };
  matmul.primitive.execute(thread_stream(),
                           {{DNNL_ARG_SRC, at(matmul.a, op.a)},
                            {DNNL_ARG_WEIGHTS, at(matmul.b, op.b)},
                            {DNNL_ARG_DST, at(matmul.c, op.c)},
                            {DNNL_ARG_SCRATCHPAD, at(matmul.scratchpad, scratch)}});
  thread_stream().wait();
}

class OnednnBackend : public Backend {
 public:
  explicit OnednnBackend(int threads)
      : threads_(threads), catalog_(whole_problem_catalog(threads)) {
    watch_forks();
  }

  BackendInfo info() const override { return probe(); }
  int units() const override { return threads_; }
  int available_units() const override {
    return omp_in_parallel() || forked.load(std::memory_order_relaxed) ? 1 : threads_;
  }
  Result<const Catalog*> catalog(const GemmCall& call) const override;
  Status run(const GemmCall& call, const Plan& plan, const CallArgs& args, Workspace workspace,
             Stream stream) const override;
  Result<PackedMatrix> pack(const void* b, int64_t k, int64_t n, DType a_type, DType type,
                            Strides strides) const override;
  Status check_packed(const GemmCall& call, const PackedMatrix::Impl& packed) const override;

 private:
  Status run_packed(MatmulKey key, Operands op, const Packed& packed) const;
  Status run_on_c(const MatmulKey& key, const Operands& op, const Packed* packed) const;

  const int threads_;
  const Catalog catalog_;
  mutable MatmulCache cache_;
};

Result<const Catalog*> OnednnBackend::catalog(const GemmCall& call) const {
  if (call.a_type != DType::kF32 || call.b_type != DType::kF32 || call.c_type != DType::kF32) {
    return Status{StatusCode::kUnsupported,
                  std::string("the onednn backend serves f32, not ") + to_string(call.a_type) +
                      " x " + to_string(call.b_type) + " -> " + to_string(call.c_type)};
  }
  // Kernels behind oneDNN's 64-bit interface count dimensions in 32 bits.
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const Shape& s = call.shape;
  if (std::max({s.m, s.n, s.k}) > kMost) {
    return Status{StatusCode::kUnsupported, "the onednn backend serves dimensions up to " +
                                                std::to_string(kMost) + ", not " +
                                                std::to_string(std::max({s.m, s.n, s.k}))};
  }
  return &catalog_;
}

// A and B plain or packed; C as it lies or by way of a dense copy.
Status OnednnBackend::run(const GemmCall& call, const Plan& plan, const CallArgs& args, Workspace,
                          Stream) const {
  if (!args.plain()) {
    return {StatusCode::kUnsupported, "the onednn backend serves no epilogue"};
  }
  const ScopedThreads scope(plan.units);
  return guarded([&]() -> Status {
    const Shape& s = call.shape;
    MatmulKey key{s,
                  call.a,
                  {},
                  call.c,
                  static_cast<float>(args.alpha),
                  static_cast<float>(args.beta),
                  plan.units};
    Operands op{static_cast<const float*>(args.a), static_cast<const float*>(args.b),
                static_cast<float*>(args.c)};
    op.a = plain(op.a, s.m, s.k, Use::kA, &key.a);
    const Packed* packed = nullptr;
    if (call.b_packed) {
      packed = static_cast<const Packed*>(args.b_packed->impl());
    } else {
      Strides b = call.b;
      op.b = plain(op.b, s.k, s.n, Use::kB, &b);
      key.b = matrix_desc(s.k, s.n, b);
    }
    if (is_plain(s.m, s.n, call.c)) return run_on_c(key, op, packed);
    const auto bytes = static_cast<std::size_t>(s.m * s.n) * sizeof(float);
    auto* dense = static_cast<float*>(thread_memory(Use::kC, bytes));
    key.c = {s.n, 1};
    if (args.beta != 0) copy_matrix(op.c, call.c, dense, key.c, s.m, s.n);
    float* c = op.c;
    op.c = dense;
    Status status = run_on_c(key, op, packed);
    if (status.ok()) copy_matrix(dense, key.c, c, call.c, s.m, s.n);
    return status;
  });
}

Status OnednnBackend::run_on_c(const MatmulKey& key, const Operands& op,
                               const Packed* packed) const {
  if (packed != nullptr) return run_packed(key, op, *packed);
  execute(*cache_.get(key), op);
  return {};
}

// oneDNN takes weights in any layout of its own for any m, if need be by its reference kernel;
// should a version refuse, the weights are laid out plainly for this call.
Status OnednnBackend::run_packed(MatmulKey key, Operands op, const Packed& packed) const {
  std::shared_ptr<const Matmul> matmul;
  op.b = static_cast<const float*>(packed.data.get());
  key.b = packed.desc;
  try {
    matmul = cache_.get(key);
  } catch (const dnnl::error& e) {
    if (e.status != dnnl_unimplemented) throw;
  }
  if (matmul == nullptr) {
    op.b = unpack(packed);
    key.b = matrix_desc(packed.rows, packed.cols, {packed.cols, 1});
    matmul = cache_.get(key);
  }
  execute(*matmul, op);
  return {};
}

Result<PackedMatrix> OnednnBackend::pack(const void* b, int64_t k, int64_t n, DType a_type,
                                         DType type, Strides strides) const {
  if (type != DType::kF32 || a_type != DType::kF32) {
    return Status{StatusCode::kUnsupported,
                  std::string("the onednn backend packs f32, not ") + to_string(type)};
  }
  auto impl = std::make_unique<Packed>();
  impl->rows = k;
  impl->cols = n;
  impl->dtype = type;
  impl->backend = "onednn";
  if (k == 0 || n == 0) return PackedMatrix(std::move(impl));
  const ScopedThreads scope(available_units());
  const Status status = guarded([&]() -> Status {
    Strides from = strides;
    const float* values = plain(static_cast<const float*>(b), k, n, Use::kB, &from);
    impl->desc = preferred_weights(kTypicalRows, k, n);
    impl->byte_count = impl->desc.get_size();
    impl->data =
        std::shared_ptr<void>(::operator new (impl->byte_count, std::align_val_t{64}),
                              [](void* p) { ::operator delete (p, std::align_val_t{64}); });
    reorder({matrix_desc(k, n, from), cpu_engine(), const_cast<float*>(values)},
            {impl->desc, cpu_engine(), impl->data.get()});
    return {};
  });
  if (!status.ok()) return status;
  return PackedMatrix(std::move(impl));
}

Status OnednnBackend::check_packed(const GemmCall& call, const PackedMatrix::Impl& packed) const {
  if (dynamic_cast<const Packed*>(&packed) != nullptr) return {};
  return Backend::check_packed(call, packed);
}

Result<std::unique_ptr<Backend>> create(const BackendOptions& options) {
  const int threads = options.threads > 0 ? options.threads : omp_get_max_threads();
  return std::unique_ptr<Backend>(std::make_unique<OnednnBackend>(threads));
}

}  // namespace
}  // namespace onednn

BackendEntry onednn_backend_entry() { return {"onednn", onednn::probe, onednn::create}; }

}  // namespace mikpoly
