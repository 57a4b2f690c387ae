// Rows measured with invented contestants.
#include <gtest/gtest.h>

#include <chrono>

#include "bench/measure/bench_run.h"
#include "bench/measure/row_runner.h"
#include "bench/report/bench_report.h"

namespace mikpoly::bench {
namespace {

enum class Kind { kRight, kSlow, kWrong, kRefuses, kBreaks };

void busy(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

class FakeSession : public Session {
 public:
  FakeSession(Kind kind, const Case& problem, std::span<const Operands> copies)
      : kind_(kind), problem_(problem), copies_(copies.begin(), copies.end()) {}

  Status create() override {
    if (kind_ == Kind::kSlow) busy(std::chrono::microseconds(3000));
    return {};
  }

  Status run(std::size_t copy) override {
    if (kind_ == Kind::kBreaks && problem_.m != 251) {
      return Status(StatusCode::kDeviceError, "broken");
    }
    const Operands& x = copies_[copy];
    for (int64_t i = 0; i < problem_.m; ++i) {
      for (int64_t j = 0; j < problem_.n; ++j) {
        float sum = 0;
        for (int64_t l = 0; l < problem_.k; ++l) {
          sum += x.a[i * problem_.k + l] * x.b[l * problem_.n + j];
        }
        x.c[i * problem_.n + j] = kind_ == Kind::kWrong ? sum + 1 : sum;
      }
    }
    if (kind_ == Kind::kSlow) busy(std::chrono::microseconds(300));
    return {};
  }

  std::string choice() const override { return "fake"; }

 private:
  Kind kind_;
  Case problem_;
  std::vector<Operands> copies_;
};

class FakePeer : public Peer {
 public:
  FakePeer(const char* name, Kind kind, const char* pool = kOpenMpPool) : kind_(kind) {
    info_.name = name;
    info_.library = "fake";
    info_.version = "1.2.3";
    info_.pool = pool;
  }
  const PeerInfo& info() const override { return info_; }
  Result<std::unique_ptr<Session>> session(const Case& problem,
                                           std::span<const Operands> copies) override {
    if (kind_ == Kind::kRefuses && problem.m != 251) {
      return Status(StatusCode::kUnsupported, "too odd");
    }
    return std::unique_ptr<Session>(std::make_unique<FakeSession>(kind_, problem, copies));
  }

 private:
  Kind kind_;
  PeerInfo info_;
};

std::unique_ptr<Contestant> contestant(const char* name, Kind kind,
                                       const char* pool = kOpenMpPool) {
  auto made = Contestant::create(std::make_unique<FakePeer>(name, kind, pool), 1);
  EXPECT_TRUE(made.ok());
  return std::move(made).value();
}

Row measure(const std::vector<Contestant*>& contestants, bool first = true,
            CacheFlusher* cold = nullptr) {
  Row row;
  row.problem.m = 8;
  row.problem.n = 16;
  row.problem.k = 4;
  row.problem.trans = "NN";
  row.problem.suite = "fake";
  row.weights = "plain";
  OperandSet operands;
  EXPECT_TRUE(operands.allocate(row.problem, 4, 1, 1));
  const Reference reference(row.problem, operands.copies()[0], 1);
  RowSettings settings;
  settings.contestant_seconds = 0.003;
  settings.first = first;
  settings.cold = cold;
  measure_row(contestants, operands, reference, settings, &row);
  return row;
}

TEST(RowTest, RatiosPointTheRightWay) {
  const auto ours = contestant("ours", Kind::kRight);
  const auto slow = contestant("slow", Kind::kSlow);
  const Row row = measure({ours.get(), slow.get()});
  EXPECT_EQ(row.status, RowStatus::kMeasured) << row.reason;
  ASSERT_EQ(row.peers.size(), 1U);
  EXPECT_GT(*row.peers[0].times.warm_us, 300);
  EXPECT_LT(*row.ours.times.warm_us, *row.peers[0].times.warm_us);
  // Creation counts for the first run, not for the others.
  EXPECT_GT(*row.peers[0].times.first_us, 3300);
  EXPECT_LT(*row.peers[0].times.warm_us, 3000);
  EXPECT_GE(row.ours.repeats, 7);
  EXPECT_EQ(row.ours.repeats, row.peers[0].repeats);
  EXPECT_FALSE(row.ours.times.cold_us.has_value());
}

TEST(RowTest, SeenShapesHaveNoFirstTime) {
  const auto ours = contestant("ours", Kind::kRight);
  const Row row = measure({ours.get()}, false);
  EXPECT_FALSE(row.ours.times.first_us.has_value());
  EXPECT_TRUE(row.ours.times.warm_us.has_value());
}

TEST(RowTest, ColdTimesWhereAsked) {
  const auto ours = contestant("ours", Kind::kRight);
  CacheFlusher flusher(1 << 20, 1);
  const Row row = measure({ours.get()}, true, &flusher);
  EXPECT_TRUE(row.ours.times.cold_us.has_value());
}

TEST(RowTest, WrongResultOfEitherSideFailsTheRow) {
  const auto right = contestant("a", Kind::kRight);
  const auto wrong = contestant("b", Kind::kWrong);
  const Row peer_wrong = measure({right.get(), wrong.get()});
  EXPECT_EQ(peer_wrong.status, RowStatus::kFailed);
  EXPECT_TRUE(peer_wrong.ours.ok);
  EXPECT_FALSE(peer_wrong.peers[0].ok);
  EXPECT_NEAR(peer_wrong.peers[0].max_err, 1, 1e-3);
  const Row ours_wrong = measure({wrong.get(), right.get()});
  EXPECT_EQ(ours_wrong.status, RowStatus::kFailed);
  BenchReport report;
  report.outcome.rows = {ours_wrong};
  EXPECT_FALSE(report.ok());
}

TEST(RowTest, RefusalOfAPeerIsCountedNotAFault) {
  const auto ours = contestant("ours", Kind::kRight);
  const auto peer = contestant("peer", Kind::kRefuses);
  const Row row = measure({ours.get(), peer.get()});
  EXPECT_EQ(row.status, RowStatus::kMeasured);
  EXPECT_TRUE(row.peers[0].unsupported);
  EXPECT_NE(row.peers[0].reason.find("too odd"), std::string::npos);
  EXPECT_FALSE(row.peers[0].times.warm_us.has_value());
}

TEST(RowTest, OurRefusalMakesTheRowUnsupported) {
  const auto ours = contestant("ours", Kind::kRefuses);
  const auto peer = contestant("peer", Kind::kRight);
  const Row row = measure({ours.get(), peer.get()});
  EXPECT_EQ(row.status, RowStatus::kUnsupported);
  EXPECT_FALSE(row.reason.empty());
}

TEST(RowTest, AnErrorFailsTheRow) {
  const auto ours = contestant("ours", Kind::kRight);
  const auto peer = contestant("peer", Kind::kBreaks);
  const Row row = measure({ours.get(), peer.get()});
  EXPECT_EQ(row.status, RowStatus::kFailed);
  EXPECT_NE(row.reason.find("broken"), std::string::npos);
}

TEST(RowTest, AnotherThreadPoolIsMeasuredToo) {
  const auto ours = contestant("ours", Kind::kRight);
  const auto peer = contestant("peer", Kind::kRight, "own");
  const Row row = measure({ours.get(), peer.get()});
  EXPECT_EQ(row.status, RowStatus::kMeasured);
  EXPECT_GE(row.peers[0].repeats, 7);
}

}  // namespace
}  // namespace mikpoly::bench
