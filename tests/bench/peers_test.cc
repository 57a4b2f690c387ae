// Every peer that can be had here computes every layout right.
#include <gtest/gtest.h>

#include "bench/measure/operands.h"
#include "bench/peers/ours.h"
#include "bench/peers/peer.h"

namespace mikpoly::bench {
namespace {

Case make_case(int64_t m, int64_t n, int64_t k, const char* trans) {
  Case c;
  c.m = m;
  c.n = n;
  c.k = k;
  c.trans = trans;
  return c;
}

void expect_right(Peer* peer, const Case& problem) {
  OperandSet operands;
  ASSERT_TRUE(operands.allocate(problem, 2, 2, 5));
  const Reference reference(problem, operands.copies()[0], 5);
  auto session = peer->session(problem, operands.copies());
  ASSERT_TRUE(session.ok()) << session.status().message();
  Status status = session.value()->create();
  ASSERT_TRUE(status.ok()) << status.message();
  status = session.value()->pack();
  ASSERT_TRUE(status.ok()) << status.message();
  for (std::size_t copy = 0; copy < 2; ++copy) {
    reference.spoil(operands.copies()[copy].c);
    status = session.value()->run(copy);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LE(reference.max_error(operands.copies()[copy].c), reference.tolerance())
        << peer->info().name << " " << problem.m << "x" << problem.n << "x" << problem.k << " "
        << problem.trans;
  }
}

void expect_right_everywhere(Peer* peer) {
  for (const char* trans : {"NN", "NT", "TN", "TT"}) {
    expect_right(peer, make_case(1, 1, 1, trans));
    expect_right(peer, make_case(17, 33, 65, trans));
    expect_right(peer, make_case(1, 100, 70, trans));
    expect_right(peer, make_case(129, 1, 64, trans));
    expect_right(peer, make_case(200, 150, 300, trans));
  }
}

TEST(PeersTest, EveryLayoutIsRight) {
  int found = 0;
  for (const PeerEntry& entry : peer_table()) {
    const auto peer = entry.create(2);
    if (!peer.ok()) {
      EXPECT_FALSE(peer.status().message().empty());
      continue;
    }
    ++found;
    EXPECT_EQ(peer.value()->info().name, entry.name);
    EXPECT_FALSE(peer.value()->info().version.empty());
    EXPECT_FALSE(peer.value()->info().pool.empty());
    expect_right_everywhere(peer.value().get());
  }
  if (found == 0) GTEST_SKIP() << "no peer library here";
}

TEST(PeersTest, OursIsRightInBothForms) {
  auto runtime = Runtime::create();
  ASSERT_TRUE(runtime.ok()) << runtime.status().message();
  expect_right_everywhere(make_ours(&runtime.value(), false).get());
  expect_right_everywhere(make_ours(&runtime.value(), true).get());
}

TEST(PeersTest, NamesAreSelected) {
  const auto all = select_peers({"onednn", "openblas", "onednn-any"});
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all.value().size(), 4U);
  EXPECT_STREQ(all.value()[0]->name, "onednn-any");
  EXPECT_STREQ(all.value()[3]->name, "openblas");
  EXPECT_TRUE(select_peers({}).value().empty());
  const auto unknown = select_peers({"cublas"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.status().message().find("cublas"), std::string::npos);
}

}  // namespace
}  // namespace mikpoly::bench
