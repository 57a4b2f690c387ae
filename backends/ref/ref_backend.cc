#include "backends/ref/ref_backend.h"

#include <new>

#include "core/base/element.h"
#include "core/base/epilogue.h"

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

bool is_8bit(DType type) { return type == DType::kS8 || type == DType::kU8; }

int64_t zero_point(const Quantization::Operand& q, int64_t channel) {
  if (q.zero_point == nullptr) return 0;
  return q.zero_point[q.zero_point_per_channel ? channel : 0];
}
double scale(const Quantization::Operand& q, int64_t channel) {
  if (q.scale == nullptr) return 1;
  return q.scale[q.scale_per_channel ? channel : 0];
}

class Product {
 public:
  Product(const GemmCall& call, const CallArgs& args)
      : call_(call),
        args_(args),
        b_(call.b_packed ? args.b_packed->impl()->data.get() : args.b),
        b_at_(call.b_packed ? Strides{call.shape.n, 1} : call.b) {}

  void run() const {
    for (int64_t i = 0; i < call_.shape.m; ++i) {
      for (int64_t j = 0; j < call_.shape.n; ++j) store(i, j);
    }
  }

 private:
  double a(int64_t i, int64_t k) const {
    return load_element(call_.a_type, args_.a, i * call_.a.row + k * call_.a.col);
  }
  double b(int64_t k, int64_t j) const {
    return load_element(call_.b_type, b_, k * b_at_.row + j * b_at_.col);
  }

  void store(int64_t i, int64_t j) const {
    if (!is_8bit(call_.a_type)) {
      double sum = 0;
      for (int64_t k = 0; k < call_.shape.k; ++k) sum += a(i, k) * b(k, j);
      return store(i, j, sum * scale(args_.quantization.b, j));
    }
    const int64_t sum = whole_sum(i, j);
    if (call_.c_type != DType::kS32) {
      const Quantization& q = args_.quantization;
      return store(i, j, static_cast<double>(sum) * scale(q.a, i) * scale(q.b, j));
    }
    auto* c = static_cast<int32_t*>(args_.c) + i * call_.c.row + j * call_.c.col;
    const auto before = args_.beta == 0 ? 0U : static_cast<uint32_t>(*c);
    *c = static_cast<int32_t>(static_cast<uint32_t>(sum) + before);
  }

  void store(int64_t i, int64_t j, double sum) const {
    store_output(call_, args_, i, j, finished(call_, args_, i, j, args_.alpha * sum));
  }

  int64_t whole_sum(int64_t i, int64_t j) const {
    const int64_t a_zero = zero_point(args_.quantization.a, i);
    const int64_t b_zero = zero_point(args_.quantization.b, j);
    int64_t sum = 0;
    for (int64_t k = 0; k < call_.shape.k; ++k) {
      sum += (static_cast<int64_t>(a(i, k)) - a_zero) * (static_cast<int64_t>(b(k, j)) - b_zero);
    }
    return sum;
  }

  const GemmCall& call_;
  const CallArgs& args_;
  const void* b_;
  Strides b_at_;
};

class RefBackend : public Backend {
 public:
  BackendInfo info() const override { return ref_info(); }
  int units() const override { return 1; }

  Result<const Catalog*> catalog(const GemmCall&) const override { return &catalog_; }

  Status run(const GemmCall& call, const Plan&, const CallArgs& args, Workspace,
             Stream) const override {
    Product(call, args).run();
    return {};
  }

  Result<PackedMatrix> pack(const void* b, int64_t k, int64_t n, DType, DType type,
                            Strides strides) const override {
    const std::size_t bytes = static_cast<std::size_t>(k * n) * size_of(type);
    void* data = ::operator new(bytes + 1, std::nothrow);
    if (data == nullptr) return Status{StatusCode::kOutOfMemory, "no memory for a packed matrix"};
    auto impl = std::make_unique<PackedMatrix::Impl>();
    impl->rows = k;
    impl->cols = n;
    impl->dtype = type;
    impl->backend = "ref";
    impl->byte_count = bytes;
    impl->data = std::shared_ptr<void>(data, [](void* p) { ::operator delete(p); });
    for (int64_t r = 0; r < k; ++r) {
      for (int64_t c = 0; c < n; ++c) {
        const double value = load_element(type, b, r * strides.row + c * strides.col);
        store_element(type, data, r * n + c, value);
      }
    }
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
