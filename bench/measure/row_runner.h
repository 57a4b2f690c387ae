// Measures one row: first, warm and cold times of all contestants, and their results.
#pragma once

#include <memory>
#include <vector>

#include "bench/measure/flush.h"
#include "bench/measure/lane.h"
#include "bench/measure/row.h"

namespace mikpoly::bench {

struct RowSettings {
  double contestant_seconds = 0.04;  // warm time a contestant
  int min_repeats = 7;
  int max_repeats = 2001;
  int pool_blocks = 5;  // blocks a thread pool where contestants do not share one
  int cold_repeats = 5;
  bool first = true;             // this process has not seen the shape before
  CacheFlusher* cold = nullptr;  // null: no cold times
  std::size_t turn = 0;          // whose first run comes first
};

// Contestants [0] is ours. Sets row->ours, row->peers and the row's status. The alternation is
// A B A B with every run on the next copy of the operands; runs below 20 us are timed in batches.
void measure_row(const std::vector<Contestant*>& contestants, const OperandSet& operands,
                 const Reference& reference, const RowSettings& settings, Row* row);

}  // namespace mikpoly::bench
