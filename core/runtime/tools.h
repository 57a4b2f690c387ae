// What tuner, benches and tests need beyond the public API.
#pragma once

#include "core/backend/backend.h"
#include "mikpoly/runtime.h"
#include "planner/search.h"

namespace mikpoly {

const Backend& backend_of(Runtime& runtime);

// The catalog that serves the problem, and the shape to plan with (transposed where C is).
struct PlanInput {
  const Catalog* catalog = nullptr;
  Shape shape;
  PlanOptions options;
};
Result<PlanInput> plan_input(Runtime& runtime, const GemmProblem& problem);

// Runs a plan of one's own; it must have been made from plan_input(problem).
Status run_plan(Runtime& runtime, const GemmProblem& problem, const Plan& plan,
                const GemmArgs& args);

// The cost model of the runtime's further plans. Not while other threads use the runtime.
void set_cost_model(Runtime& runtime, CostModel model);

}  // namespace mikpoly
