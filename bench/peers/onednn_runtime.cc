// oneDNN by its practice for shapes that are not known beforehand: one primitive per layout with
// run-time dimensions and leading dimensions, unit strides fixed, created once per process and so
// outside of first_us. Source: oneDNN developer guide, "MatMul Tutorial: Comparison with SGEMM".
#include <map>

#include "bench/peers/onednn_common.h"

namespace mikpoly::bench {
namespace {

struct SharedPrimitive {
  dnnl::matmul primitive;
  std::string implementation;
};

class RuntimeSession : public OnednnSession {
 public:
  RuntimeSession(OnednnContext* context, const Case& problem, std::span<const Operands> copies,
                 const SharedPrimitive& shared)
      : OnednnSession(context, problem, copies) {
    primitive_ = shared.primitive;
    implementation_ = shared.implementation;
  }

  Status pack() override {
    return onednn_try([&] {
      for (const Operands& copy : copies_) {
        bind(copy, dnnl::memory(b_desc(), context_->engine, const_cast<float*>(copy.b)));
      }
    });
  }
};

class RuntimePeer : public Peer {
 public:
  explicit RuntimePeer(int threads) : info_(onednn_info("onednn-runtime", threads)) {}
  const PeerInfo& info() const override { return info_; }

  Result<std::unique_ptr<Session>> session(const Case& problem,
                                           std::span<const Operands> copies) override {
    Status status = onednn_try([&] { ensure_primitive(problem); });
    if (!status.ok()) return status;
    return std::unique_ptr<Session>(std::make_unique<RuntimeSession>(
        &context_, problem, copies, primitives_.at(problem.trans)));
  }

 private:
  void ensure_primitive(const Case& problem) {
    if (primitives_.contains(problem.trans)) return;
    constexpr int64_t kAny = DNNL_RUNTIME_DIM_VAL;
    const auto desc = onednn_matmul(context_, onednn_matrix(kAny, kAny, a_transposed(problem)),
                                    onednn_matrix(kAny, kAny, b_transposed(problem)),
                                    onednn_matrix(kAny, kAny, false));
    primitives_[problem.trans] = {dnnl::matmul(desc), desc.impl_info_str()};
  }

  PeerInfo info_;
  OnednnContext context_;
  std::map<std::string, SharedPrimitive> primitives_;
};

}  // namespace

Result<std::unique_ptr<Peer>> make_onednn_runtime(int threads) {
  std::unique_ptr<Peer> peer;
  Status status = onednn_try([&] { peer = std::make_unique<RuntimePeer>(threads); });
  if (!status.ok()) return status;
  return peer;
}

}  // namespace mikpoly::bench
