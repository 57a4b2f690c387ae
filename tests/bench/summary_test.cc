#include "bench/report/summary.h"

#include <gtest/gtest.h>

#include <sstream>

#include "bench/report/bench_report.h"

namespace mikpoly::bench {
namespace {

ContestantResult result(const char* name, double warm, double first) {
  ContestantResult r;
  r.name = name;
  r.ok = true;
  r.times.warm_us = warm;
  r.times.first_us = first;
  r.choice = "plan of " + std::string(name);
  return r;
}

Row make_row(const char* suite, int64_t m, const char* weights, double ours_warm) {
  Row row;
  row.problem.suite = suite;
  row.problem.m = m;
  row.problem.n = 1000;
  row.problem.k = 1000;
  row.problem.dtype = "f32";
  row.problem.trans = "NN";
  row.weights = weights;
  row.status = RowStatus::kMeasured;
  row.ours = result("ours", ours_warm, 2 * ours_warm);
  return row;
}

std::vector<Row> make_rows() {
  std::vector<Row> rows;
  rows.push_back(make_row("s", 10, "packed", 100));
  rows.back().peers = {result("onednn-any", 200, 1000)};
  rows.push_back(make_row("s", 10, "plain", 100));
  rows.back().peers = {result("onednn-plain", 50, 600), result("openblas", 400, 400)};
  rows.push_back(make_row("s", 20, "plain", 100));
  rows.back().peers = {result("onednn-plain", 200, 800)};
  rows.back().peers[0].times.first_us.reset();
  rows.push_back(make_row("t", 1, "plain", 1));
  rows.back().status = RowStatus::kUnsupported;
  rows.back().reason = "convolution is not served yet";
  rows.back().ours = {};
  return rows;
}

TEST(SummaryTest, RatiosPerSuiteAndPeer) {
  const std::vector<SuiteSummary> suites = summarize_suites(make_rows());
  ASSERT_EQ(suites.size(), 2U);
  EXPECT_EQ(suites[0].suite, "s");
  ASSERT_EQ(suites[0].peers.size(), 3U);
  const auto& [name, plain] = suites[0].peers[1];
  EXPECT_EQ(name, "onednn-plain");
  EXPECT_EQ(plain.warm.count, 2U);
  EXPECT_DOUBLE_EQ(plain.warm.geomean, 1);
  EXPECT_DOUBLE_EQ(plain.warm.min, 0.5);
  EXPECT_EQ(plain.first_count, 1U);
  EXPECT_DOUBLE_EQ(plain.first_geomean, 3);
  EXPECT_EQ(plain.worst[0].row, 1U);
  EXPECT_DOUBLE_EQ(plain.worst[0].ratio, 0.5);
  // The fastest oneDNN practice by first run is the plain one, 600 us against our 200.
  EXPECT_EQ(suites[0].first_best_count, 1U);
  EXPECT_DOUBLE_EQ(suites[0].first_best_onednn, 3);
  EXPECT_EQ(suites[1].counts.unsupported, 1U);
  EXPECT_EQ(suites[1].counts.rows, 1U);
}

TEST(SummaryTest, RooflineTakesTheBindingLimit) {
  std::vector<Row> rows = {make_row("s", 10, "plain", 100)};  // 20 MFLOP, 4.08 MB
  rows[0].from_llc = true;
  const RooflineSummary compute = summarize_roofline(rows, 400, 1000, 1000);
  EXPECT_EQ(compute.count, 1U);
  EXPECT_NEAR(compute.geomean, 0.5, 1e-9);  // 50 us at 400 GFLOP/s
  const RooflineSummary memory = summarize_roofline(rows, 400, 50, 81.6);
  EXPECT_NEAR(memory.geomean, 0.5, 0.01);  // 50 us from the cache at 81.6 GB/s
  EXPECT_NEAR(memory.geomean_memory, 0.816, 0.01);
  rows[0].problem.m = 1;  // 2 MFLOP
  EXPECT_EQ(summarize_roofline(rows, 400, 50, 50).count, 0U);
}

BenchReport make_report() {
  BenchReport report;
  report.library = {"0.1.0", "abc", "cpu", "device", "analytic", 2};
  PeerInfo peer;
  peer.name = "onednn-any";
  peer.library = "onednn";
  peer.version = "3.1.4";
  report.peers = {peer};
  report.outcome.rows = make_rows();
  report.outcome.roofline = {400, 50, 80};
  report.outcome.roofline_samples = {report.outcome.roofline};
  return report;
}

TEST(BenchJsonTest, HasTheFieldsThatOthersRead) {
  const auto json = to_json(make_report());
  for (const char* name : {"machine", "library", "peers", "cases", "summary"}) {
    EXPECT_TRUE(json.contains(name)) << name;
  }
  for (const char* name : {"version", "commit", "backend", "profile", "threads"}) {
    EXPECT_TRUE(json["library"].contains(name)) << name;
  }
  EXPECT_EQ(json["peers"]["onednn"], "3.1.4");
  ASSERT_EQ(json["cases"].size(), 4U);
  for (const auto& row : json["cases"]) {
    for (const char* name : {"suite", "op", "m", "n", "k", "batch", "dtype", "trans", "weights",
                             "ok", "max_err", "plan", "plan_us", "ours", "peers"}) {
      EXPECT_TRUE(row.contains(name)) << name;
    }
    for (const char* name : {"first_us", "warm_us", "cold_us"}) {
      EXPECT_TRUE(row["ours"].contains(name)) << name;
    }
  }
  EXPECT_EQ(json["cases"][1]["peers"]["openblas"]["warm_us"], 400.0);
  EXPECT_TRUE(json["cases"][1]["peers"]["openblas"]["cold_us"].is_null());
  EXPECT_EQ(json["cases"][0]["ok"], true);
  EXPECT_TRUE(json["cases"][3]["ok"].is_null());
  EXPECT_EQ(json["cases"][3]["status"], "unsupported");
}

TEST(BenchJsonTest, SummaryHasTheNamesOfTheDesign) {
  const auto json = to_json(make_report());
  const auto& peer = json["summary"]["s"]["onednn-plain"];
  for (const char* name :
       {"count", "warm_geomean", "warm_min", "warm_p05", "warm_p50", "warm_p95", "first_geomean",
        "share_below_0.98", "share_below_0.95", "share_above_1.02", "worst"}) {
    EXPECT_TRUE(peer.contains(name)) << name;
  }
  EXPECT_EQ(peer["worst"][0]["plan"], "plan of ours");
  EXPECT_TRUE(json["summary"].contains("oracle"));
  EXPECT_TRUE(json["summary"]["roofline"].contains("geomean"));
  EXPECT_EQ(json["counts"]["t"]["unsupported"], 1U);
}

TEST(BenchTableTest, NoEscapesUnlessAsked) {
  std::ostringstream plain;
  print_table(make_report(), false, plain);
  EXPECT_EQ(plain.str().find('\033'), std::string::npos);
  EXPECT_NE(plain.str().find("onednn-plain"), std::string::npos);
  EXPECT_NE(plain.str().find("plan of ours"), std::string::npos);
  EXPECT_NE(plain.str().find("1 unsupported"), std::string::npos);
  std::ostringstream coloured;
  print_table(make_report(), true, coloured);
  EXPECT_NE(coloured.str().find('\033'), std::string::npos);
}

}  // namespace
}  // namespace mikpoly::bench
