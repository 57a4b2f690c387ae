#include "backends/ref/ref_backend.h"

#include <new>

namespace mikpoly {
namespace {

BackendInfo ref_info() {
  BackendInfo info;
  info.name = "ref";
  info.score = 1;
  info.reason = "scalar loops, sums in double";
  info.device = "reference";
  info.table_hash = "ref";
  return info;
}

// One micro-kernel that takes the whole problem.
Catalog whole_problem_catalog() {
  constexpr int kHuge = 1 << 30;         // one block covers what memory can hold
  constexpr double kNsPerProduct = 1.0;  // a dependent multiply-add
  MicroKernel k;
  k.name = "gemm_ref_whole";
  k.um = k.un = kHuge;
  k.uk = 1;
  k.task_time.count = 1;
  k.task_time.pieces[0] = {0, 0, kNsPerProduct * kHuge * kHuge};
  return Catalog({k}, DeviceModel{}, OperandBytes{});
}

class RefBackend : public Backend {
 public:
  BackendInfo info() const override { return ref_info(); }
  int units() const override { return 1; }

  Result<const Catalog*> catalog(const GemmCall&) const override { return &catalog_; }

  Status run(const GemmCall& call, const Plan&, const GemmArgs& args, Workspace,
             Stream) const override {
    const auto* a = static_cast<const float*>(args.a);
    const auto* b = call.b_packed ? static_cast<const float*>(args.b_packed->impl()->data.get())
                                  : static_cast<const float*>(args.b);
    const Strides bs = call.b_packed ? Strides{call.shape.n, 1} : call.b;
    auto* c = static_cast<float*>(args.c);
    for (int64_t i = 0; i < call.shape.m; ++i) {
      for (int64_t j = 0; j < call.shape.n; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < call.shape.k; ++k) {
          sum += double{a[i * call.a.row + k * call.a.col]} * b[k * bs.row + j * bs.col];
        }
        float* p = c + i * call.c.row + j * call.c.col;
        double value = args.alpha * sum;
        if (args.beta != 0.0F) value += double{args.beta} * *p;
        *p = static_cast<float>(value);
      }
    }
    return {};
  }

  Result<PackedMatrix> pack(const void* b, int64_t k, int64_t n, DType type,
                            Strides strides) const override {
    if (type != DType::kF32) {
      return Status{StatusCode::kUnsupported,
                    std::string("the ref backend packs f32, not ") + to_string(type)};
    }
    auto* data = new (std::nothrow) float[static_cast<std::size_t>(k * n) + 1];
    if (data == nullptr) return Status{StatusCode::kOutOfMemory, "no memory for a packed matrix"};
    const auto* src = static_cast<const float*>(b);
    for (int64_t r = 0; r < k; ++r) {
      for (int64_t c = 0; c < n; ++c) data[r * n + c] = src[r * strides.row + c * strides.col];
    }
    auto impl = std::make_unique<PackedMatrix::Impl>();
    impl->rows = k;
    impl->cols = n;
    impl->dtype = type;
    impl->backend = "ref";
    impl->byte_count = static_cast<std::size_t>(k * n) * sizeof(float);
    impl->data = std::shared_ptr<void>(data, [](void* p) { delete[] static_cast<float*>(p); });
    return PackedMatrix(std::move(impl));
  }

 private:
  const Catalog catalog_ = whole_problem_catalog();
};

Result<std::unique_ptr<Backend>> create(const BackendOptions&) {
  return std::unique_ptr<Backend>(std::make_unique<RefBackend>());
}

}  // namespace

BackendEntry ref_backend_entry() { return {"ref", ref_info, create}; }

}  // namespace mikpoly
