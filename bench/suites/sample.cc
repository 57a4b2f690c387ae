#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "bench/suites/rng.h"
#include "bench/suites/suites.h"

namespace mikpoly::bench {
namespace {

// Positions of `cases` that the sample takes, of the given positions of one suite.
std::vector<std::size_t> choose(const std::vector<Case>& cases, std::vector<std::size_t> positions,
                                std::size_t limit, Rng* rng) {
  if (positions.size() <= limit) return positions;
  const auto key = [&](std::size_t i) {
    const Case& c = cases[i];
    return std::make_tuple(c.stratum, c.flop(), c.m, c.n, c.k);
  };
  std::stable_sort(positions.begin(), positions.end(),
                   [&](std::size_t x, std::size_t y) { return key(x) < key(y); });
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < limit; ++i) {
    const std::size_t begin = positions.size() * i / limit;
    const std::size_t end = positions.size() * (i + 1) / limit;
    const int64_t offset = rng->between(0, static_cast<int64_t>(end - begin) - 1);
    chosen.push_back(positions[begin + static_cast<std::size_t>(offset)]);
  }
  return chosen;
}

}  // namespace

std::vector<Case> sample(const std::vector<Case>& cases, std::size_t limit, uint64_t seed) {
  if (limit == 0) return cases;
  std::map<std::string, std::vector<std::size_t>> by_suite;
  for (std::size_t i = 0; i < cases.size(); ++i) by_suite[cases[i].suite].push_back(i);
  std::vector<std::size_t> kept;
  for (auto& [suite, positions] : by_suite) {
    Rng rng(seed);
    const auto chosen = choose(cases, std::move(positions), limit, &rng);
    kept.insert(kept.end(), chosen.begin(), chosen.end());
  }
  std::sort(kept.begin(), kept.end());
  std::vector<Case> result;
  for (const std::size_t i : kept) result.push_back(cases[i]);
  return result;
}

}  // namespace mikpoly::bench
