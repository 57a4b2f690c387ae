// oneDNN by its best practice for known shapes: a primitive a shape whose weights layout is `any`,
// and weights reordered to it once. The reorder is not timed, as packing is not on our side.
#include "bench/peers/onednn_common.h"

namespace mikpoly::bench {
namespace {

class AnySession : public OnednnSession {
 public:
  using OnednnSession::OnednnSession;

  Status create() override {
    return onednn_try([&] {
      const dnnl::memory::desc any({problem_.k, problem_.n}, dnnl::memory::data_type::f32,
                                   dnnl::memory::format_tag::any);
      const auto desc = onednn_matmul(*context_, a_desc(), any, c_desc());
      primitive_ = dnnl::matmul(desc);
      weights_desc_ = desc.weights_desc();
      implementation_ = desc.impl_info_str();
    });
  }

  Status pack() override {
    return onednn_try([&] {
      for (const Operands& copy : copies_) {
        dnnl::memory plain(b_desc(), context_->engine, const_cast<float*>(copy.b));
        dnnl::memory packed(weights_desc_, context_->engine);
        dnnl::reorder(plain, packed).execute(context_->stream, plain, packed);
        context_->stream.wait();
        bind(copy, std::move(packed));
      }
    });
  }

 private:
  dnnl::memory::desc weights_desc_;
};

class AnyPeer : public Peer {
 public:
  explicit AnyPeer(int threads) : info_(onednn_info("onednn-any", threads)) { info_.packs = true; }
  const PeerInfo& info() const override { return info_; }
  Result<std::unique_ptr<Session>> session(const Case& problem,
                                           std::span<const Operands> copies) override {
    return std::unique_ptr<Session>(std::make_unique<AnySession>(&context_, problem, copies));
  }

 private:
  PeerInfo info_;
  OnednnContext context_;
};

}  // namespace

Result<std::unique_ptr<Peer>> make_onednn_any(int threads) {
  std::unique_ptr<Peer> peer;
  Status status = onednn_try([&] { peer = std::make_unique<AnyPeer>(threads); });
  if (!status.ok()) return status;
  return peer;
}

}  // namespace mikpoly::bench
