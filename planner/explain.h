// A plan in words and pictures.
#pragma once

#include <string>

#include "planner/catalog.h"
#include "planner/plan.h"
#include "planner/search.h"

namespace mikpoly {

// Several lines: the regions drawn to scale in characters, then one row a region (place, size,
// micro-kernel, tasks, waves, K slices, time), then the cheapest `candidates` plans, the chosen one
// marked with '*'.
std::string explain(const Plan& plan, const Catalog& catalog, const PlanOptions& options,
                    int candidates = 8);

// A stand-alone SVG document: the output to scale, one colour a micro-kernel, blocks outlined.
std::string to_svg(const Plan& plan, const Catalog& catalog);

}  // namespace mikpoly
