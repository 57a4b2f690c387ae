#include "core/runtime/plan_cache.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace mikpoly {
namespace {

uint64_t word(int64_t value) { return static_cast<uint64_t>(value); }

uint64_t pair(int32_t low, int32_t high) {
  return static_cast<uint32_t>(low) | uint64_t{static_cast<uint32_t>(high)} << 32;
}
int32_t low_half(uint64_t value) { return static_cast<int32_t>(static_cast<uint32_t>(value)); }
int32_t high_half(uint64_t value) { return static_cast<int32_t>(value >> 32); }

// Kinds and types in four bits each; a value beyond them was refused before it could be cached, but
// may still be looked up, so none may be cut off.
bool pack_enums(const GemmProblem& p, uint64_t* packed) {
  const std::array<uint64_t, 6> values = {
      static_cast<uint64_t>(p.a_type), static_cast<uint64_t>(p.b_type),
      static_cast<uint64_t>(p.c_type), static_cast<uint64_t>(p.a.kind),
      static_cast<uint64_t>(p.b.kind), static_cast<uint64_t>(p.c.kind)};
  *packed = 0;
  for (const uint64_t value : values) {
    if (value > 15) return false;
    *packed = *packed << 4 | value;
  }
  return true;
}

// High and low half of the product folded together.
uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// What an entry does not hold because the key tells it.
void restore(const GemmProblem& problem, CachedPlan* entry) {
  GemmCall& call = entry->gemm.call;
  call.shape = {problem.m, problem.n, problem.k};
  call.a_type = problem.a_type;
  call.b_type = problem.b_type;
  call.c_type = problem.c_type;
  call.b_packed = problem.b.kind == MatrixLayout::Kind::kPacked;
  if (entry->gemm.swapped) {
    std::swap(call.shape.m, call.shape.n);
    std::swap(call.a_type, call.b_type);
  }
  entry->plan.shape = call.shape;
}

}  // namespace

PlanCache::PlanCache(std::size_t bytes) : set_count_(std::min(bytes, kMostBytes) / sizeof(Set)) {
  if (set_count_ == 0) return;
  sets_.reset(new (std::nothrow) Set[set_count_]);
  if (sets_ == nullptr) set_count_ = 0;
}

// All ones in the word of enums marks a key that is never stored.
PlanCache::KeyWords PlanCache::key_words(const PlanKey& key) {
  const GemmProblem& p = key.problem;
  uint64_t enums = 0;
  if (!pack_enums(p, &enums)) enums = ~uint64_t{0};
  return {word(p.m),
          word(p.n),
          word(p.k),
          enums,
          word(p.a.ld),
          word(p.a.row_stride),
          word(p.a.col_stride),
          word(p.b.ld),
          word(p.b.row_stride),
          word(p.b.col_stride),
          word(p.c.ld),
          word(p.c.row_stride),
          word(p.c.col_stride),
          pair(key.units, key.reads_c ? 1 : 0)};
}

// Odd constants without structure (digits of pi); products of neighbours are independent, so that
// they overlap in the processor. A poor hash costs time only: keys are compared in full.
uint64_t PlanCache::hash(const KeyWords& words) {
  constexpr uint64_t kA = 0x243f6a8885a308d3ULL;
  constexpr uint64_t kB = 0x13198a2e03707345ULL;
  uint64_t h = 0;
  for (int i = 0; i < kKeyWords; i += 2) {
    const auto at = static_cast<std::size_t>(i);
    h ^= std::rotl(mix(words[at] ^ kA, words[at + 1] ^ kB), i);
  }
  h = mix(h ^ kB, kA);
  return h == 0 ? 1 : h;
}

PlanCache::Set& PlanCache::set_of(uint64_t tag) const {
  const auto product = static_cast<unsigned __int128>(tag) * set_count_;
  return sets_[static_cast<std::size_t>(product >> 64)];
}

PlanCache::Counters& PlanCache::my_counters() const {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t mine = threads.fetch_add(1, std::memory_order_relaxed) % kCounters;
  return counters_[mine];
}

bool PlanCache::count(bool hit) const {
  Counters& counters = my_counters();
  (hit ? counters.hits : counters.misses).fetch_add(1, std::memory_order_relaxed);
  return hit;
}

bool PlanCache::find(const PlanKey& key, CachedPlan* entry) const {
  if (set_count_ == 0) return count(false);
  const KeyWords words = key_words(key);
  const uint64_t tag = hash(words);
  const Set& set = set_of(tag);
  for (std::size_t way = 0; way < kWays; ++way) {
    if (set.tags[way].load(std::memory_order_acquire) != tag) continue;
    if (!read(set.entries[way], words, entry)) continue;
    restore(key.problem, entry);
    return count(true);
  }
  return count(false);
}

void PlanCache::insert(const PlanKey& key, const CachedPlan& entry) {
  if (set_count_ == 0) return;
  const KeyWords words = key_words(key);
  const uint64_t tag = hash(words);
  Set& set = set_of(tag);
  if (set.locked.exchange(true, std::memory_order_acquire)) return;
  bool known = false;
  for (const Word& other : set.tags) known = known || other.load(std::memory_order_relaxed) == tag;
  if (!known) {
    const std::size_t way = set.next++ % kWays;
    set.tags[way].store(0, std::memory_order_relaxed);
    write(words, entry, &set.entries[way]);
    set.tags[way].store(tag, std::memory_order_release);
  }
  set.locked.store(false, std::memory_order_release);
}

void PlanCache::write(const KeyWords& key, const CachedPlan& entry, Entry* out) {
  std::size_t at = 0;
  const auto put = [&](uint64_t value) {
    out->words[at++].store(value, std::memory_order_release);
  };
  const uint64_t version = out->version.load(std::memory_order_relaxed);
  out->version.store(version + 1, std::memory_order_relaxed);
  for (const uint64_t value : key) put(value);
  for (const Strides* s : {&entry.gemm.call.a, &entry.gemm.call.b, &entry.gemm.call.c}) {
    put(word(s->row));
    put(word(s->col));
  }
  const Plan& plan = entry.plan;
  put(pair(static_cast<int32_t>(plan.pattern), plan.units));
  put(pair(plan.region_count, entry.gemm.swapped ? 1 : 0));
  put(std::bit_cast<uint64_t>(plan.cost_ns));
  put(word(plan.workspace));
  for (int i = 0; i < plan.region_count; ++i) {
    const Region& region = plan.regions[static_cast<std::size_t>(i)];
    put(word(region.row));
    put(word(region.col));
    put(word(region.rows));
    put(word(region.cols));
    put(pair(region.kernel, region.k_slices));
  }
  out->version.store(version + 2, std::memory_order_release);
}

bool PlanCache::read(const Entry& from, const KeyWords& key, CachedPlan* entry) {
  std::size_t at = 0;
  const auto take = [&] { return from.words[at++].load(std::memory_order_acquire); };
  const uint64_t version = from.version.load(std::memory_order_acquire);
  if (version % 2 != 0) return false;
  uint64_t difference = 0;
  for (const uint64_t value : key) difference |= value ^ take();
  if (difference != 0) return false;
  for (Strides* s : {&entry->gemm.call.a, &entry->gemm.call.b, &entry->gemm.call.c}) {
    s->row = static_cast<int64_t>(take());
    s->col = static_cast<int64_t>(take());
  }
  Plan& plan = entry->plan;
  const uint64_t pattern_units = take();
  plan.pattern = static_cast<Pattern>(low_half(pattern_units));
  plan.units = high_half(pattern_units);
  const uint64_t count_swapped = take();
  plan.region_count = low_half(count_swapped);
  entry->gemm.swapped = high_half(count_swapped) != 0;
  plan.cost_ns = std::bit_cast<double>(take());
  plan.workspace = static_cast<int64_t>(take());
  // A torn read may give any count; the version tells afterwards.
  for (int i = 0; i < plan.region_count && i < Plan::kMaxRegions; ++i) {
    Region& region = plan.regions[static_cast<std::size_t>(i)];
    region.row = static_cast<int64_t>(take());
    region.col = static_cast<int64_t>(take());
    region.rows = static_cast<int64_t>(take());
    region.cols = static_cast<int64_t>(take());
    const uint64_t kernel_slices = take();
    region.kernel = low_half(kernel_slices);
    region.k_slices = high_half(kernel_slices);
  }
  return from.version.load(std::memory_order_relaxed) == version;
}

std::size_t PlanCache::set_bytes() { return sizeof(Set); }

CacheStats PlanCache::stats() const {
  CacheStats stats;
  for (std::size_t i = 0; i < kCounters; ++i) {
    stats.hits += counters_[i].hits.load(std::memory_order_relaxed);
    stats.misses += counters_[i].misses.load(std::memory_order_relaxed);
  }
  stats.bytes = set_count_ * sizeof(Set);
  return stats;
}

}  // namespace mikpoly
