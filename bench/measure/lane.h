// A contestant in the course of measuring one row.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/measure/operands.h"
#include "bench/measure/row.h"
#include "bench/peers/peer.h"

namespace mikpoly::bench {

// A contestant for the whole run, with a small problem of its own that wakes its threads.
class Contestant {
 public:
  // Also runs the small problem once, so that one-time costs (threads, code generation, scratch
  // memory) are in no measured row. The peer's own status where that fails.
  static Result<std::unique_ptr<Contestant>> create(std::unique_ptr<Peer> peer, int threads);

  Peer& peer() { return *peer_; }
  const PeerInfo& info() const { return peer_->info(); }
  void wake() { (void)wake_->run(0).ok(); }

 private:
  std::unique_ptr<Peer> peer_;
  OperandSet operands_;
  std::unique_ptr<Session> wake_;
};

struct Lane {
  Contestant* contestant = nullptr;
  std::unique_ptr<Session> session;
  ContestantResult result;
  std::vector<double> samples;  // microseconds a run
  bool live = false;            // still to be measured

  void fail(const Status& status);
};

// Lanes that share a thread pool alternate run by run; lanes of another pool are timed in blocks of
// their own, after the first pool's workers have gone to sleep.
std::vector<std::vector<Lane*>> group_by_pool(std::vector<Lane>* lanes);

}  // namespace mikpoly::bench
