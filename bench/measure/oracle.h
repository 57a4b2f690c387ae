// How near the planner's choice is to the best plan of its own candidate space.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/suites/case.h"
#include "mikpoly/runtime.h"

namespace mikpoly::bench {

struct OracleCase {
  Case problem;
  double ratio = 0;     // best measured / chosen, at most 1
  int plans = 0;        // distinct plans run, the chosen one included
  bool capped = false;  // there were more
  double chosen_us = 0;
  double best_us = 0;
  std::string chosen;
  std::string best;
  std::string fault;  // a wrong result or an error of any of the plans
};

struct OracleSummary {
  bool packed = false;
  std::vector<OracleCase> cases;
  double geomean = 0;
  double min = 0;
  int plans = 0;     // of all cases
  int left_out = 0;  // cases that memory did not suffice for or that have no plan
};

struct OracleOptions {
  int threads = 1;
  int max_plans = 200;  // a case, cheapest by the cost model
  bool packed = false;
  uint64_t seed = 1;
  std::function<void(double, const std::string&)> progress;
};

// Runs every candidate plan of each case (Case::trans set), then the fastest fifth again, then the
// chosen plan and the three fastest alternately: so the least of many noisy times is not taken for
// the best. Every plan's result is checked.
OracleSummary run_oracle(const std::vector<Case>& cases, const OracleOptions& options,
                         Runtime* runtime);

// Microseconds of planning alone, as a call whose plan is not in the cache does it: validation,
// catalog, search. The median of some repeats; negative where the problem can't be planned.
double plan_micros(Runtime* runtime, const Case& problem, bool packed);

}  // namespace mikpoly::bench
