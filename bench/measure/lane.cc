#include "bench/measure/lane.h"

namespace mikpoly::bench {
namespace {

// Big enough for every library to use all threads; a shape no suite has.
Case wake_problem() {
  Case problem;
  problem.m = 251;
  problem.n = 509;
  problem.k = 127;
  problem.trans = "NN";
  return problem;
}

}  // namespace

const char* to_string(RowStatus status) {
  switch (status) {
    case RowStatus::kMeasured:
      return "measured";
    case RowStatus::kUnsupported:
      return "unsupported";
    case RowStatus::kSkipped:
      return "skipped";
    case RowStatus::kFailed:
      return "failed";
  }
  return "unknown";
}

Result<std::unique_ptr<Contestant>> Contestant::create(std::unique_ptr<Peer> peer, int threads) {
  auto contestant = std::make_unique<Contestant>();
  contestant->peer_ = std::move(peer);
  const Case problem = wake_problem();
  if (!contestant->operands_.allocate(problem, 1, threads, 1)) {
    return Status(StatusCode::kOutOfMemory, "out of memory");
  }
  auto session = contestant->peer_->session(problem, contestant->operands_.copies());
  if (!session.ok()) return session.status();
  contestant->wake_ = std::move(session).value();
  Status status = contestant->wake_->create();
  if (status.ok()) status = contestant->wake_->pack();
  if (status.ok()) status = contestant->wake_->run(0);
  if (!status.ok()) return status;
  return contestant;
}

void Lane::fail(const Status& status) {
  live = false;
  result.ok = false;
  result.unsupported = status.code() == StatusCode::kUnsupported;
  result.reason = std::string(mikpoly::to_string(status.code())) + ": " + status.message();
}

std::vector<std::vector<Lane*>> group_by_pool(std::vector<Lane>* lanes) {
  std::vector<std::vector<Lane*>> groups;
  for (Lane& lane : *lanes) {
    if (!lane.live) continue;
    bool placed = false;
    for (auto& group : groups) {
      if (group[0]->contestant->info().pool != lane.contestant->info().pool) continue;
      group.push_back(&lane);
      placed = true;
    }
    if (!placed) groups.push_back({&lane});
  }
  return groups;
}

}  // namespace mikpoly::bench
