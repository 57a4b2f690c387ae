// What the rows of a benchmark say together.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/measure/row.h"
#include "bench/report/statistics.h"

namespace mikpoly::bench {

struct WorstCase {
  std::size_t row = 0;  // index into the rows
  double ratio = 0;
};

// One peer on one suite; ratios are peer time / our time.
struct PeerSummary {
  RatioSummary warm;
  double first_geomean = 0;
  std::size_t first_count = 0;
  double cold_geomean = 0;
  std::size_t cold_count = 0;
  std::size_t unsupported = 0;  // rows that the peer can't do
  std::map<std::string, RatioSummary> by_trans;
  std::vector<WorstCase> worst;  // ten at most, worst first
};

struct SuiteCounts {
  std::size_t rows = 0;
  std::size_t measured = 0;
  std::size_t unsupported = 0;
  std::size_t skipped = 0;
  std::size_t failed = 0;
};

struct SuiteSummary {
  std::string suite;
  SuiteCounts counts;
  std::vector<std::pair<std::string, PeerSummary>> peers;  // in the order they were asked for
  // First runs: the fastest of oneDNN's practices on a case against ours in the same form (packed
  // against `any`, plain against the others).
  double first_best_onednn = 0;
  std::size_t first_best_count = 0;
};

// In the order in which suites appear.
std::vector<SuiteSummary> summarize_suites(const std::vector<Row>& rows);

struct RooflineSummary {
  double geomean = 0;         // limit / our warm time, operands from where the rotation keeps them
  double geomean_memory = 0;  // the same with memory bandwidth for all
  std::size_t count = 0;
};
// Over our measured rows above 10 MFLOP.
RooflineSummary summarize_roofline(const std::vector<Row>& rows, double gflops,
                                   double memory_gb_per_s, double cache_gb_per_s);

}  // namespace mikpoly::bench
