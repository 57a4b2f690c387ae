// A plan: which regions cover the output, and what they are predicted to cost. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "planner/pattern.h"
#include "planner/region.h"
#include "planner/shape.h"

namespace mikpoly {

class Catalog;

struct Plan {
  static constexpr int kMaxRegions = 7;
  Shape shape;
  Pattern pattern = Pattern::kI;
  int32_t units = 1;         // units that take part; 1 runs serially in the caller
  int32_t region_count = 0;  // 0 only for an empty output
  std::array<Region, kMaxRegions> regions{};
  double cost_ns = 0;     // predicted time under the model that chose the plan
  int64_t workspace = 0;  // bytes for partial sums; 0 when no region splits K

  friend bool operator==(const Plan&, const Plan&) = default;
};

// Bytes of partial sums: one block's slice_bytes for each slice of each block of a region that
// splits K. Held to the largest int64_t where that is exceeded.
int64_t workspace_bytes(const Plan& plan, const Catalog& catalog);

// One line, for logs, golden files and bench rows, e.g.
//   II 1024x1000x512 units=2 cost=81234.5 [0,0 768x1000 k=1 NAME][768,0 256x1000 k=1 NAME]
std::string to_string(const Plan& plan, const Catalog& catalog);

// Reads to_string's form back. Returns false, and leaves *plan alone, where the line is malformed,
// names a kernel the catalog lacks, or its regions do not cover the shape exactly once or are more
// or fewer than the pattern has. Workspace is computed anew.
bool parse_plan(std::string_view line, const Catalog& catalog, Plan* plan);

}  // namespace mikpoly
