// real-gemm: 1267 GEMMs whose sizes the paper gives as ranges with counts, not as a list. Each
// range is filled from the layers of shapes/real_gemm_layers.csv first, at batches 1, 2, 4 .. 128
// and 150 sequence lengths from 5 to 500, both as (rows, outputs, inputs) and, as a column-major
// caller has them, (outputs, rows, inputs): layers with one row a sentence or image and attention
// heads before the far more numerous token layers, these in an order shuffled with a fixed seed.
// What a range still lacks is drawn log-uniformly within it. Shapes above 1 GiB of operands or 2^38
// FLOP are left out, so that the suite runs on an ordinary machine.
#include <cstdlib>
#include <set>
#include <tuple>

#include "bench/shapes/embedded.h"
#include "bench/suites/csv.h"
#include "bench/suites/rng.h"
#include "bench/suites/suites.h"
#include "bench/suites/table.h"

namespace mikpoly::bench {
namespace {

constexpr uint64_t kSeed = 20240427;
constexpr int kSequenceLengths = 150;
constexpr double kMaxBytes = 1024.0 * 1024.0 * 1024.0;
constexpr double kMaxFlop = 274877906944.0;  // 2^38

struct Bucket {
  int64_t low[3];
  int64_t high[3];
  std::size_t count;

  bool holds(const Case& c) const {
    const int64_t size[] = {c.m, c.n, c.k};
    for (int i = 0; i < 3; ++i) {
      if (size[i] < low[i] || size[i] > high[i]) return false;
    }
    return true;
  }
};

std::vector<Bucket> read_buckets() {
  std::vector<Bucket> buckets;
  for (const auto& row : table_rows(kRealGemmBucketsCsv)) {
    Bucket bucket{};
    for (std::size_t i = 0; i < 3; ++i) {
      bucket.low[i] = table_integer(row[2 * i]);
      bucket.high[i] = table_integer(row[2 * i + 1]);
    }
    bucket.count = static_cast<std::size_t>(table_integer(row[6]));
    buckets.push_back(bucket);
  }
  return buckets;
}

int64_t sequence_length(int i) { return 5 + 495 * i / (kSequenceLengths - 1); }

Case make_case(int64_t m, int64_t n, int64_t k, std::string source) {
  Case c;
  c.suite = "real-gemm";
  c.m = m;
  c.n = n;
  c.k = k;
  c.source = std::move(source);
  return c;
}

// A layer at so many rows, in both orientations.
void add_layer(std::vector<Case>* cases, int64_t rows, int64_t outputs, int64_t inputs,
               const std::string& source) {
  cases->push_back(make_case(rows, outputs, inputs, source));
  cases->push_back(make_case(outputs, rows, inputs, source + " (column-major)"));
}

void add_token_layer(std::vector<Case>* cases, int64_t outputs, int64_t inputs,
                     const std::string& source) {
  for (int64_t batch = 1; batch <= 128; batch *= 2) {
    for (int i = 0; i < kSequenceLengths; ++i) {
      add_layer(cases, batch * sequence_length(i), outputs, inputs, source);
    }
  }
}

// Scarce shapes first, in file order; then the token layers, shuffled.
std::vector<Case> network_shapes() {
  std::vector<Case> cases;
  std::vector<Case> tokens;
  for (const auto& row : table_rows(kRealGemmLayersCsv)) {
    const std::string source = std::string(row[0]) + " " + std::string(row[1]);
    const int64_t outputs = table_integer(row[3]);
    const int64_t inputs = table_integer(row[4]);
    if (row[2] == "tokens") {
      add_token_layer(&tokens, outputs, inputs, source);
    } else if (row[2] == "batch") {
      for (int64_t b = 1; b <= 128; b *= 2) add_layer(&cases, b, outputs, inputs, source);
    } else {
      for (int i = 0; i < kSequenceLengths; ++i) {
        const int64_t s = sequence_length(i);
        const bool scores = row[2] == "head_scores";
        add_layer(&cases, s, scores ? s : outputs, scores ? outputs : s, source);
      }
    }
  }
  Rng rng(kSeed);
  rng.shuffle(&tokens);
  cases.insert(cases.end(), tokens.begin(), tokens.end());
  return cases;
}

}  // namespace

std::vector<Case> real_gemm() {
  const std::vector<Bucket> buckets = read_buckets();
  const std::vector<Case> networks = network_shapes();
  std::set<std::tuple<int64_t, int64_t, int64_t>> seen;
  std::vector<Case> cases;
  Rng rng(kSeed + 1);
  int stratum = 0;
  for (const Bucket& bucket : buckets) {
    const std::size_t wanted = cases.size() + bucket.count;
    const auto offer = [&](Case c) {
      if (cases.size() >= wanted || c.bytes() > kMaxBytes || c.flop() > kMaxFlop) return;
      if (!bucket.holds(c) || !seen.insert({c.m, c.n, c.k}).second) return;
      c.stratum = stratum;
      cases.push_back(std::move(c));
    };
    for (const Case& c : networks) offer(c);
    while (cases.size() < wanted) {
      int64_t size[3];
      for (int i = 0; i < 3; ++i) size[i] = rng.log_between(bucket.low[i], bucket.high[i]);
      offer(make_case(size[0], size[1], size[2], "drawn"));
    }
    ++stratum;
  }
  return cases;
}

}  // namespace mikpoly::bench
