#include "planner/explain.h"

namespace mikpoly {

std::string explain(const Plan& plan, const Catalog& catalog, const PlanOptions&, int) {
  return to_string(plan, catalog) + '\n';
}

std::string to_svg(const Plan&, const Catalog&) { return "<svg/>"; }

}  // namespace mikpoly
