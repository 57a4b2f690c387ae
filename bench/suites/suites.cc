#include "bench/suites/suites.h"

#include "bench/shapes/embedded.h"
#include "bench/suites/csv.h"
#include "bench/suites/table.h"

namespace mikpoly::bench {
namespace {

constexpr int64_t kLlamaMaxTokens = 4096;
constexpr int64_t kDynamicMaxRows = 8192;
constexpr int64_t kProbeSteps = 64;
// Keeps one run of a quick case below about a tenth of a second on two slow cores.
constexpr double kQuickMaxFlop = 1e10;
constexpr double kQuickMaxBytes = 256e6;
constexpr uint64_t kQuickSeed = 1;

Case make_case(const char* suite, int64_t m, int64_t n, int64_t k) {
  Case c;
  c.suite = suite;
  c.m = m;
  c.n = n;
  c.k = k;
  return c;
}

void add_quick(std::vector<Case>* cases, const char* name, std::size_t count) {
  std::vector<Case> small;
  for (Case& c : find_suite(name)->cases()) {
    if (c.flop() > kQuickMaxFlop || c.bytes() > kQuickMaxBytes) continue;
    c.source = c.source.empty() ? name : std::string(name) + ": " + c.source;
    small.push_back(std::move(c));
  }
  for (Case& c : sample(small, count, kQuickSeed)) {
    c.suite = "quick";
    c.stratum = 0;
    cases->push_back(std::move(c));
  }
}

}  // namespace

std::vector<Case> deepbench_gemm() {
  // The text is part of the program; a test holds it to 166 rows.
  auto cases = parse_shapes(kDeepbenchGemmCsv, "deepbench_gemm.csv", "deepbench-gemm");
  return cases.ok() ? std::move(cases).value() : std::vector<Case>{};
}

std::vector<Case> llama2_13b() {
  std::vector<Case> cases;
  for (const auto& row : table_rows(kLlama213bCsv)) {
    for (int64_t tokens = 1; tokens <= kLlamaMaxTokens; tokens *= 2) {
      cases.push_back(
          make_case("llama2-13b", tokens, table_integer(row[1]), table_integer(row[2])));
      cases.back().source = row[0];
    }
  }
  return cases;
}

std::vector<Case> dynamic_m() {
  std::vector<Case> cases;
  for (int64_t m = 1; m <= kDynamicMaxRows; ++m) {
    cases.push_back(make_case("dynamic-m", m, 3072, 768));
  }
  return cases;
}

std::vector<Case> wave_probe() {
  std::vector<Case> cases;
  for (int64_t i = 1; i <= kProbeSteps; ++i) {
    cases.push_back(make_case("wave-probe", 64 * i, 1024, 4096));
  }
  return cases;
}

std::vector<Case> quick() {
  std::vector<Case> cases;
  add_quick(&cases, "deepbench-gemm", 20);
  add_quick(&cases, "real-gemm", 22);
  add_quick(&cases, "llama2-13b", 8);
  add_quick(&cases, "dynamic-m", 5);
  add_quick(&cases, "wave-probe", 5);
  return cases;
}

const std::vector<Suite>& suites() {
  static const std::vector<Suite> all = {
      {"deepbench-gemm", "166 distinct shapes of DeepBench", deepbench_gemm},
      {"real-gemm", "1267 layers of Transformers and CNNs", real_gemm},
      {"llama2-13b", "52: Llama-2 13B over four devices, 1 to 4096 tokens", llama2_13b},
      {"dynamic-m", "8192: (M, 3072, 768), M = 1..8192", dynamic_m},
      {"wave-probe", "64: (M, 1024, 4096), M = 64..4096", wave_probe},
      {"quick", "60 of all of these, under a minute", quick},
  };
  return all;
}

const Suite* find_suite(std::string_view name) {
  for (const Suite& suite : suites()) {
    if (name == suite.name) return &suite;
  }
  return nullptr;
}

}  // namespace mikpoly::bench
