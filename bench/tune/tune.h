// The offline stage: measures the CPU backend's micro-kernels on this machine and writes a profile.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/backend/profile.h"
#include "mikpoly/status.h"

namespace mikpoly::tune {

struct TuneOptions {
  int threads = 0;  // 0: what the process may use
  double budget_s = 240;
  // Profile to write; measured parts are kept beside it (".partial") and taken up again by the next
  // run. Empty: the user cache directory, where every runtime finds it.
  std::string output;
  bool restart = false;  // discard the parts of an interrupted run
  int keep = 40;         // micro-kernels kept a catalog (n_mik)
  uint64_t seed = 20240427;
  // Called with the share of the work that is done, in [0, 1], and what is being measured.
  std::function<void(double, const std::string&)> progress;
};

// The measured profile, also written to options.output. invalid_argument: unwritable output.
Result<Profile> tune(const TuneOptions& options);

}  // namespace mikpoly::tune
