// oneDNN by plain practice: a primitive a shape, operands in the layouts the application has.
#include "bench/peers/onednn_common.h"

namespace mikpoly::bench {
namespace {

class PlainSession : public OnednnSession {
 public:
  using OnednnSession::OnednnSession;

  Status create() override {
    return onednn_try([&] {
      const auto desc = onednn_matmul(*context_, a_desc(), b_desc(), c_desc());
      primitive_ = dnnl::matmul(desc);
      implementation_ = desc.impl_info_str();
    });
  }

  Status pack() override {
    return onednn_try([&] {
      for (const Operands& copy : copies_) {
        bind(copy, dnnl::memory(b_desc(), context_->engine, const_cast<float*>(copy.b)));
      }
    });
  }
};

class PlainPeer : public Peer {
 public:
  explicit PlainPeer(int threads) : info_(onednn_info("onednn-plain", threads)) {}
  const PeerInfo& info() const override { return info_; }
  Result<std::unique_ptr<Session>> session(const Case& problem,
                                           std::span<const Operands> copies) override {
    return std::unique_ptr<Session>(std::make_unique<PlainSession>(&context_, problem, copies));
  }

 private:
  PeerInfo info_;
  OnednnContext context_;
};

}  // namespace

Result<std::unique_ptr<Peer>> make_onednn_plain(int threads) {
  std::unique_ptr<Peer> peer;
  Status status = onednn_try([&] { peer = std::make_unique<PlainPeer>(threads); });
  if (!status.ok()) return status;
  return peer;
}

}  // namespace mikpoly::bench
