// One measured row of a benchmark: a case, our times and each peer's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/suites/case.h"

namespace mikpoly::bench {

struct Times {
  std::optional<double> first_us;  // null where this process has seen the shape before
  std::optional<double> warm_us;
  std::optional<double> cold_us;  // null unless asked for
};

// What became of one contestant on a case.
struct ContestantResult {
  std::string name;
  Times times;
  int repeats = 0;  // samples behind warm_us
  int batch = 1;    // calls a sample
  double max_err = 0;
  bool ok = false;           // ran, and every checked element is within the tolerance
  std::string reason;        // why not ok
  bool unsupported = false;  // the contestant can't do this case; no fault
  std::string choice;        // plan line or name of the implementation
};

enum class RowStatus {
  kMeasured,
  kUnsupported,  // the case, or ours on it
  kSkipped,      // memory or time did not suffice
  kFailed,       // a wrong result or an error, ours or a peer's
};
const char* to_string(RowStatus status);

struct Row {
  Case problem;
  std::string weights;  // "packed" or "plain"
  RowStatus status = RowStatus::kSkipped;
  std::string reason;
  double tolerance = 0;
  std::optional<double> plan_us;
  int rotation = 0;       // copies of the operands
  bool from_llc = false;  // the rotated copies fit the last-level cache
  ContestantResult ours;
  std::vector<ContestantResult> peers;

  bool measured() const { return ours.times.warm_us.has_value(); }
};

}  // namespace mikpoly::bench
