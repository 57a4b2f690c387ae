#include "bench/peers/ours.h"

#include "mikpoly/version.h"

namespace mikpoly::bench {
namespace {

class OurSession : public Session {
 public:
  OurSession(Runtime* runtime, const Case& problem, bool packed, std::span<const Operands> copies)
      : runtime_(runtime), problem_(gemm_problem(problem, packed)), packed_(packed) {
    layout_ = b_transposed(problem) ? MatrixLayout::transposed() : MatrixLayout::row_major();
    for (const Operands& copy : copies) {
      GemmArgs args;
      args.a = copy.a;
      args.b = copy.b;
      args.c = copy.c;
      args_.push_back(args);
    }
  }

  Status pack() override {
    if (!packed_) return {};
    weights_.reserve(args_.size());  // args point into it
    for (GemmArgs& args : args_) {
      auto weights = runtime_->pack(args.b, problem_.k, problem_.n, DType::kF32, layout_);
      if (!weights.ok()) return weights.status();
      weights_.push_back(std::move(weights).value());
      args.b = nullptr;
      args.b_packed = &weights_.back();
    }
    return {};
  }

  Status run(std::size_t copy) override { return runtime_->gemm(problem_, args_[copy]); }

  std::string choice() const override {
    const auto plan = runtime_->plan(problem_);
    return plan.ok() ? plan.value().to_string() : plan.status().message();
  }

 private:
  Runtime* runtime_;
  GemmProblem problem_;
  MatrixLayout layout_;
  bool packed_;
  std::vector<GemmArgs> args_;
  std::vector<PackedMatrix> weights_;
};

class OurPeer : public Peer {
 public:
  OurPeer(Runtime* runtime, bool packed) : runtime_(runtime) {
    info_.name = "ours";
    info_.library = "mikpoly";
    info_.version = version();
    info_.pool = kOpenMpPool;
    info_.packs = packed;
  }
  const PeerInfo& info() const override { return info_; }
  Result<std::unique_ptr<Session>> session(const Case& problem,
                                           std::span<const Operands> copies) override {
    return std::unique_ptr<Session>(
        std::make_unique<OurSession>(runtime_, problem, info_.packs, copies));
  }

 private:
  Runtime* runtime_;
  PeerInfo info_;
};

}  // namespace

GemmProblem gemm_problem(const Case& problem, bool packed) {
  GemmProblem gemm;
  gemm.m = problem.m;
  gemm.n = problem.n;
  gemm.k = problem.k;
  if (a_transposed(problem)) gemm.a = MatrixLayout::transposed();
  if (b_transposed(problem)) gemm.b = MatrixLayout::transposed();
  if (packed) gemm.b = MatrixLayout::packed();
  return gemm;
}

std::unique_ptr<Peer> make_ours(Runtime* runtime, bool packed) {
  return std::make_unique<OurPeer>(runtime, packed);
}

}  // namespace mikpoly::bench
