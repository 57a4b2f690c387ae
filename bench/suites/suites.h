// The benchmark suites: lists of problems by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/suites/case.h"

namespace mikpoly::bench {

// DeepBench's 166 distinct (m, n, k), row-major: m = M, n = N, k = K. Source:
// shapes/deepbench_gemm.csv.
std::vector<Case> deepbench_gemm();

// Llama-2 13B split over four devices: the layers of shapes/llama2_13b.csv at N = 1, 2, 4 .. 4096
// tokens. The paper writes (output features) x N x (input features); a Linear layer on row-major
// tokens is the transpose of that, so here m = N tokens, n = output, k = input features.
std::vector<Case> llama2_13b();

// 1267 fully-connected GEMMs of Transformers and CNNs, rebuilt (see real_gemm.h).
std::vector<Case> real_gemm();

// (M, 3072, 768) for M = 1..8192: every run must be valid.
std::vector<Case> dynamic_m();

// (M, 1024, 4096) for M = 64, 128 .. 4096: shows wave quantisation.
std::vector<Case> wave_probe();

// About 60 cases of all of the above, each below 10 GFLOP and 256 MB, for a run under a minute.
std::vector<Case> quick();

struct Suite {
  const char* name;
  const char* summary;
  std::vector<Case> (*cases)();
};
const std::vector<Suite>& suites();

// Null where no suite has the name.
const Suite* find_suite(std::string_view name);

// Of each suite in `cases`, at most `limit` cases: its cases are ordered by stratum and FLOP and
// cut into `limit` runs of nearly equal length, and each gives one case, chosen by `seed`. Keeps
// the order of `cases`. limit 0 keeps all.
std::vector<Case> sample(const std::vector<Case>& cases, std::size_t limit, uint64_t seed);

}  // namespace mikpoly::bench
