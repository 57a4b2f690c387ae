#include "bench/measure/row_runner.h"

#include <algorithm>
#include <cmath>

#include "bench/measure/clock.h"
#include "bench/measure/threads.h"
#include "bench/report/statistics.h"

namespace mikpoly::bench {
namespace {

constexpr double kShortestSample = 20;  // us; a thousand times the clock's own cost
constexpr double kMaxBatch = 256;
constexpr int kSlowColdRepeats = 3;
constexpr double kSlowRun = 1e6;    // us
constexpr double kQuickRun = 2000;  // us; below, an estimate takes more than the warm-up run

class RowRun {
 public:
  RowRun(const std::vector<Contestant*>& contestants, const OperandSet& operands,
         const Reference& reference, const RowSettings& settings, const Case& problem)
      : operands_(operands), reference_(reference), settings_(settings), problem_(problem) {
    for (Contestant* contestant : contestants) lanes_.push_back(open(contestant));
  }

  void run() {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      const std::size_t turn = (i + settings_.turn) % lanes_.size();
      if (lanes_[turn].live) first(&lanes_[turn]);
    }
    if (!lanes_[0].live) return;  // nothing to compare with
    warm();
    if (settings_.cold != nullptr) cold();
    for (Lane& lane : lanes_) {
      if (lane.session) lane.result.choice = lane.session->choice();
    }
  }

  std::vector<Lane>& lanes() { return lanes_; }

 private:
  Lane open(Contestant* contestant) {
    Lane lane;
    lane.contestant = contestant;
    lane.result.name = contestant->info().name;
    auto session = contestant->peer().session(problem_, operands_.copies());
    if (session.ok()) {
      lane.session = std::move(session).value();
      lane.live = true;
    } else {
      lane.fail(session.status());
    }
    return lane;
  }

  // The contestant's threads are awake and alone at both timed parts.
  void first(Lane* lane) {
    enter_pool(*lane);
    lane->contestant->wake();
    auto start = Clock::now();
    Status status = lane->session->create();
    double micros = micros_since(start);
    if (status.ok()) status = lane->session->pack();
    if (!status.ok()) return lane->fail(status);
    const std::size_t copy = next_copy();
    reference_.spoil(operands_.copies()[copy].c);
    lane->contestant->wake();
    start = Clock::now();
    status = lane->session->run(copy);
    micros += micros_since(start);
    if (!status.ok()) return lane->fail(status);
    if (settings_.first) lane->result.times.first_us = micros;
    check(lane, copy);
  }

  void check(Lane* lane, std::size_t copy) {
    lane->result.max_err = reference_.max_error(operands_.copies()[copy].c);
    lane->result.ok = lane->result.max_err <= reference_.tolerance();
    if (!lane->result.ok) lane->result.reason = "wrong result";
  }

  void warm() {
    auto groups = group_by_pool(&lanes_);
    const std::size_t blocks =
        groups.size() > 1 ? static_cast<std::size_t>(settings_.pool_blocks) : 1;
    for (std::size_t block = 0; block < blocks; ++block) {
      for (auto& group : groups) warm_block(&group, blocks);
    }
    for (Lane& lane : lanes_) {
      if (!lane.live) continue;
      lane.result.repeats = static_cast<int>(lane.samples.size());
      lane.result.times.warm_us = median(lane.samples);
    }
  }

  void warm_block(std::vector<Lane*>* group, std::size_t blocks) {
    std::erase_if(*group, [](const Lane* lane) { return !lane->live; });
    if (group->empty()) return;
    enter_pool(*group->front());
    double sum = 0;
    double least = 1e300;
    for (Lane* lane : *group) {
      lane->contestant->wake();
      double estimate = sample(lane, 1);  // brings the contestant's own weights and code in
      if (estimate < kQuickRun)
        estimate = std::max(std::min(sample(lane, 1), sample(lane, 3)), 0.01);
      sum += estimate;
      least = std::min(least, estimate);
    }
    const int batch =
        static_cast<int>(std::clamp(std::ceil(kShortestSample / least), 1.0, kMaxBatch));
    const double budget = settings_.contestant_seconds * 1e6 * static_cast<double>(group->size());
    const double wanted = std::clamp(budget / (sum * batch), double(settings_.min_repeats),
                                     double(settings_.max_repeats));
    const int repeats = static_cast<int>(std::ceil(wanted / static_cast<double>(blocks)));
    for (int i = 0; i < repeats; ++i) {
      for (Lane* lane : *group) {
        lane->result.batch = batch;
        if (lane->live) lane->samples.push_back(sample(lane, batch));
      }
    }
  }

  // Microseconds a run over `batch` runs.
  double sample(Lane* lane, int batch) {
    Status status;
    const auto start = Clock::now();
    for (int i = 0; i < batch && status.ok(); ++i) status = lane->session->run(next_copy());
    const double micros = micros_since(start) / batch;
    if (!status.ok()) lane->fail(status);
    return micros;
  }

  void cold() {
    const bool slow = lanes_[0].result.times.warm_us.value_or(0) > kSlowRun;
    const int repeats =
        slow ? std::min(kSlowColdRepeats, settings_.cold_repeats) : settings_.cold_repeats;
    std::vector<std::vector<double>> samples(lanes_.size());
    for (int repeat = 0; repeat < repeats; ++repeat) {
      for (std::size_t i = 0; i < lanes_.size(); ++i) {
        if (!lanes_[i].live) continue;
        settings_.cold->flush();
        enter_pool(lanes_[i]);
        samples[i].push_back(sample(&lanes_[i], 1));
      }
    }
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (lanes_[i].live) lanes_[i].result.times.cold_us = median(samples[i]);
    }
  }

  // Lets the threads of the pool before go to sleep.
  void enter_pool(const Lane& lane) {
    const std::string& pool = lane.contestant->info().pool;
    if (pool != pool_) settle_threads();
    pool_ = pool;
  }

  // Shared by all contestants, so that nobody reads what another has just brought in. Each pass
  // begins one copy further on: else two contestants would split an even number of copies for good.
  std::size_t next_copy() {
    const std::size_t copies = operands_.copies().size();
    const std::size_t shift = copies > 2 ? cursor_ / copies : 0;
    return (cursor_++ + shift) % copies;
  }

  const OperandSet& operands_;
  const Reference& reference_;
  const RowSettings& settings_;
  const Case& problem_;
  std::vector<Lane> lanes_;
  std::size_t cursor_ = 0;
  std::string pool_;  // whose threads ran last
};

void set_status(Row* row) {
  row->status = RowStatus::kMeasured;
  const auto fail = [&](const ContestantResult& result) {
    if (result.ok || result.unsupported || result.reason.empty()) return;
    row->status = RowStatus::kFailed;
    if (!row->reason.empty()) row->reason += "; ";
    row->reason += result.name + ": " + result.reason;
  };
  fail(row->ours);
  for (const ContestantResult& peer : row->peers) fail(peer);
  if (row->ours.unsupported) {
    row->status = RowStatus::kUnsupported;
    row->reason = row->ours.reason;
  }
}

}  // namespace

void measure_row(const std::vector<Contestant*>& contestants, const OperandSet& operands,
                 const Reference& reference, const RowSettings& settings, Row* row) {
  RowRun run(contestants, operands, reference, settings, row->problem);
  run.run();
  row->tolerance = reference.tolerance();
  for (Lane& lane : run.lanes()) {
    if (lane.contestant == contestants[0]) {
      row->ours = std::move(lane.result);
    } else {
      row->peers.push_back(std::move(lane.result));
    }
  }
  set_status(row);
}

}  // namespace mikpoly::bench
