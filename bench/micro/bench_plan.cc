// Time to plan a shape never seen: every iteration takes another shape of a long random list. The
// counters are the median and the 99th percentile of single calls, in ns, clock reads included.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "planner/search.h"
#include "tests/support/fake_device.h"

namespace mikpoly {
namespace {

constexpr int kShapes = 20000;

void plan_new_shapes(benchmark::State& state, const Catalog& catalog) {
  using Clock = std::chrono::steady_clock;
  const std::vector<Shape> shapes = testing::random_shapes(kShapes, 8192, 1);
  std::vector<double> ns;
  ns.reserve(static_cast<size_t>(state.max_iterations));
  size_t next = 0;
  for (auto _ : state) {
    const auto start = Clock::now();
    Plan plan = make_plan(shapes[next], catalog);
    const auto end = Clock::now();
    benchmark::DoNotOptimize(plan);
    ns.push_back(std::chrono::duration<double, std::nano>(end - start).count());
    next = next + 1 == shapes.size() ? 0 : next + 1;
  }
  std::sort(ns.begin(), ns.end());
  state.counters["median_ns"] = ns[ns.size() / 2];
  state.counters["p99_ns"] = ns[ns.size() * 99 / 100];
}

void BM_PlanTwoCores(benchmark::State& state) {
  plan_new_shapes(state, testing::two_core_catalog());
}
void BM_PlanManyUnits(benchmark::State& state) {
  plan_new_shapes(state, testing::many_unit_catalog());
}
BENCHMARK(BM_PlanTwoCores)->Iterations(kShapes);
BENCHMARK(BM_PlanManyUnits)->Iterations(kShapes);

}  // namespace
}  // namespace mikpoly
