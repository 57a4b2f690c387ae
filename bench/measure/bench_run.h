// A whole benchmark: every case against every peer, within a time budget.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/measure/lane.h"
#include "bench/measure/row.h"
#include "bench/roofline.h"
#include "mikpoly/runtime.h"

namespace mikpoly::bench {

struct BenchRequest {
  std::vector<Case> cases;
  std::vector<std::string> trans = {"NN"};  // for cases that do not say
  std::vector<std::string> weights;         // "packed", "plain": a row a case for each
  int threads = 1;
  double budget_s = 0;  // 0: none. Else repeats shrink, then the last cases are skipped and say so
  bool cold = false;
  uint64_t seed = 1;
};

struct BenchOutcome {
  std::vector<Row> rows;
  std::vector<RooflineLimits> roofline_samples;
  RooflineLimits roofline;
  double seconds = 0;
};

// Which contestants meet: ours packed with peers that pack, ours plain with the others.
class Field {
 public:
  // Our runtime's two forms, ready to be measured. Peers are added with add().
  static Result<Field> create(Runtime* runtime, int threads);
  Status add(std::unique_ptr<Peer> peer, int threads);

  // Ours first.
  const std::vector<Contestant*>& contestants(bool packed) const {
    return packed ? packed_ : plain_;
  }
  bool has_peers(bool packed) const { return contestants(packed).size() > 1; }
  std::vector<PeerInfo> peers() const;

 private:
  std::vector<std::unique_ptr<Contestant>> owned_;
  std::vector<Contestant*> packed_;
  std::vector<Contestant*> plain_;
};

struct BenchHooks {
  // Called before each case with the cases done, their number and a description.
  std::function<void(std::size_t, std::size_t, const std::string&)> progress;
  // Microseconds of planning alone.
  std::function<std::optional<double>(const Case&, bool packed)> plan_micros;
};

BenchOutcome run_bench(const BenchRequest& request, const Field& field, const BenchHooks& hooks);

}  // namespace mikpoly::bench
