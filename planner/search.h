// From shape and catalog to the cheapest plan.
#pragma once

#include <vector>

#include "planner/catalog.h"
#include "planner/plan.h"

namespace mikpoly {

enum class CostModel {
  kWavePipe,           // the paper: sum over regions of ceil(tasks / slots) * task time
  kMakespan,           // all regions' tasks on the slots as one list
  kMakespanBandwidth,  // that, and never below what the memory levels can deliver
};

struct PlanOptions {
  CostModel model = CostModel::kMakespanBandwidth;
  int max_units = 0;          // upper limit on Plan::units; 0 means the device's
  bool allow_k_split = true;  // false keeps every region at one K slice
  bool reads_c = false;       // beta != 0: C is read as well as written
  // Plans of one region that cost less than this are taken as they are: what two or more regions
  // could gain would be less than the search for them takes.
  double simple_below_ns = 0;
  uint32_t patterns = (1u << kPatternCount) - 1;  // bit i permits Pattern i; pattern I always is
};

// The cheapest plan found. Never fails on a non-empty catalog; a shape with m or n of zero gives a
// plan without regions; k of zero is planned as one K step. Allocates nothing.
Plan make_plan(const Shape& shape, const Catalog& catalog, const PlanOptions& options = {});

// The n cheapest distinct plans of the whole candidate space without pruning, cheapest first. For
// explain, the oracle and tests: slow, allocates.
std::vector<Plan> rank_plans(const Shape& shape, const Catalog& catalog, const PlanOptions& options,
                             int n);

}  // namespace mikpoly
