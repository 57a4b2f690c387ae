// Everything one run of `mikpoly bench` found, and its JSON and text forms.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/bench_run.h"
#include "bench/measure/oracle.h"
#include "bench/peers/peer.h"

namespace mikpoly::bench {

struct LibraryInfo {
  std::string version;
  std::string commit;
  std::string backend;
  std::string device;
  std::string profile;
  int threads = 1;
};

struct BenchReport {
  LibraryInfo library;
  std::string command;  // what was asked for, as one line
  double load_before = 0;
  std::vector<PeerInfo> peers;
  BenchOutcome outcome;
  std::optional<OracleSummary> oracle;

  // False where a row failed or a plan of the oracle was wrong.
  bool ok() const;
};

nlohmann::ordered_json to_json(const BenchReport& report);

// One line a suite and peer, the counts of what was not measured, the ten worst rows with their
// plans. `colour` adds terminal escapes.
void print_table(const BenchReport& report, bool colour, std::ostream& out);

}  // namespace mikpoly::bench
