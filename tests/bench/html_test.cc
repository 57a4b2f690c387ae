#include "bench/report/html.h"

#include <gtest/gtest.h>

#include "bench/report/bench_report.h"
#include "bench/report/plot.h"

namespace mikpoly::bench {
namespace {

TEST(HtmlTest, EscapesEverythingThatEndsText) {
  EXPECT_EQ(escape_html("<a href=\"x\">'&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
}

TEST(HtmlTest, NothingOfTheJsonReachesThePageUnescaped) {
  BenchReport report;
  report.command = "mikpoly bench <script>alert(1)</script>";
  report.library.profile = "</table><script>";
  Row row;
  row.problem.suite = "<i>suite";
  row.problem.m = row.problem.n = row.problem.k = 100;
  row.problem.trans = "NN";
  row.weights = "plain";
  row.status = RowStatus::kMeasured;
  row.ours.ok = true;
  row.ours.times.warm_us = 1;
  row.ours.choice = "<b>plan";
  ContestantResult peer = row.ours;
  peer.name = "<u>peer";
  row.peers = {peer};
  report.outcome.rows = {row};
  const std::string page = html_report(to_json(report));
  for (const char* raw : {"<script", "<i>", "<b>", "<u>", "http:", "https:"}) {
    std::size_t at = page.find(raw);
    // The SVG namespace is a name, not a link.
    while (at != std::string::npos && page.compare(at, 26, "http://www.w3.org/2000/svg") == 0) {
      at = page.find(raw, at + 1);
    }
    EXPECT_EQ(at, std::string::npos) << raw;
  }
  EXPECT_NE(page.find("&lt;u&gt;peer"), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
}

TEST(HtmlTest, ForeignJsonThrows) {
  EXPECT_THROW((void)html_report({{"cases", 3}}), nlohmann::json::exception);
}

TEST(PlotTest, PointsStayInTheDrawing) {
  const std::string svg =
      plot_ratios({{1e3, 1e-9, "low"}, {1e12, 1e9, "high"}, {1e6, 1, "x"}}, "t");
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("cy='-"), std::string::npos);
  EXPECT_TRUE(plot_ratios({}, "t").empty());
}

}  // namespace
}  // namespace mikpoly::bench
