// Plans of problems seen before, in a table whose memory is taken once.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/canonical.h"
#include "mikpoly/problem.h"
#include "mikpoly/runtime.h"
#include "planner/plan.h"

namespace mikpoly {

// What a plan depends on. The problem is as the user gave it, so that a hit needs no validation.
struct PlanKey {
  const GemmProblem& problem;
  int units = 1;  // most units the plan may use
  bool reads_c = false;
};

struct CachedPlan {
  CanonicalGemm gemm;
  Plan plan;
};

// Set-associative, replacing the oldest entry of a set. Readers take no lock: an entry is copied
// word by word and dropped if its version changed meanwhile. A writer that finds its set locked by
// another gives up, so that no call ever waits; the plan is then made again later.
class PlanCache {
 public:
  // Some 130,000 plans: what a caller gets who asks for no limit.
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  PlanCache() = default;  // holds nothing
  // A table of at most `bytes` and kMostBytes; empty where less than one set fits or memory is out.
  explicit PlanCache(std::size_t bytes);

  bool find(const PlanKey& key, CachedPlan* entry) const;
  void insert(const PlanKey& key, const CachedPlan& entry);
  CacheStats stats() const;
  static std::size_t set_bytes();

 private:
  static constexpr int kWays = 8;
  static constexpr int kKeyWords = 14;
  static constexpr int kStrideWords = 6;
  static constexpr int kPlanWords = 4;
  static constexpr int kRegionWords = 5;
  static constexpr int kWords =
      kKeyWords + kStrideWords + kPlanWords + Plan::kMaxRegions * kRegionWords;

  using Word = std::atomic<uint64_t>;
  using KeyWords = std::array<uint64_t, kKeyWords>;

  // Version is odd while the words are being written. Readers load words with acquire, writers
  // store them with release: a reader that sees a new word also sees the version before it.
  struct Entry {
    Word version{0};
    std::array<Word, kWords> words{};
  };
  struct alignas(64) Set {
    std::array<Word, kWays> tags{};  // hash of the key; 0: empty
    std::atomic<bool> locked{false};
    uint32_t next = 0;  // way to replace; only under the lock
    std::array<Entry, kWays> entries{};
  };
  struct alignas(64) Counters {
    std::atomic<uint64_t> hits{0};
    std::atomic<uint64_t> misses{0};
  };
  static constexpr std::size_t kCounters = 16;  // threads share them in turn, to stay off one line

  static KeyWords key_words(const PlanKey& key);
  static uint64_t hash(const KeyWords& words);
  static void write(const KeyWords& key, const CachedPlan& entry, Entry* out);
  static bool read(const Entry& from, const KeyWords& key, CachedPlan* entry);
  Set& set_of(uint64_t tag) const;
  Counters& my_counters() const;
  bool count(bool hit) const;

  std::size_t set_count_ = 0;
  std::unique_ptr<Set[]> sets_;
  std::unique_ptr<Counters[]> counters_ = std::make_unique<Counters[]>(kCounters);
};

}  // namespace mikpoly
