#include "core/runtime/runtime_impl.h"
#include "planner/explain.h"

namespace mikpoly {

GemmPlan::GemmPlan(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

const GemmProblem& GemmPlan::problem() const { return impl_->problem; }
double GemmPlan::predicted_ns() const { return impl_->cached.plan.cost_ns; }

std::size_t GemmPlan::workspace_bytes() const {
  return static_cast<std::size_t>(impl_->cached.plan.workspace);
}

std::string GemmPlan::to_string() const {
  if (impl_->catalog == nullptr) return "empty output";
  return mikpoly::to_string(impl_->cached.plan, *impl_->catalog);
}

std::string GemmPlan::explain() const {
  if (impl_->catalog == nullptr) return "empty output\n";
  return mikpoly::explain(impl_->cached.plan, *impl_->catalog, impl_->options);
}

std::string GemmPlan::to_svg() const {
  if (impl_->catalog == nullptr) return "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n";
  return mikpoly::to_svg(impl_->cached.plan, *impl_->catalog);
}

}  // namespace mikpoly
