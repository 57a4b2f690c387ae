#include "bench/report/summary.h"

#include <algorithm>
#include <tuple>

#include "bench/roofline.h"

namespace mikpoly::bench {
namespace {

constexpr std::size_t kWorst = 10;
constexpr double kRooflineFlop = 1e7;

struct Ratios {
  std::vector<double> warm, first, cold;
  std::vector<std::size_t> rows;  // of warm
  std::map<std::string, std::vector<double>> by_trans;
  std::size_t unsupported = 0;
};

void add_ratio(const std::optional<double>& peer, const std::optional<double>& ours,
               std::vector<double>* ratios) {
  if (peer && ours && *peer > 0 && *ours > 0) ratios->push_back(*peer / *ours);
}

void add_peer(const Row& row, std::size_t index, const ContestantResult& peer, Ratios* ratios) {
  if (peer.unsupported) ++ratios->unsupported;
  if (!peer.ok || !row.ours.ok) return;
  const std::size_t before = ratios->warm.size();
  add_ratio(peer.times.warm_us, row.ours.times.warm_us, &ratios->warm);
  add_ratio(peer.times.first_us, row.ours.times.first_us, &ratios->first);
  add_ratio(peer.times.cold_us, row.ours.times.cold_us, &ratios->cold);
  if (ratios->warm.size() == before) return;
  ratios->rows.push_back(index);
  ratios->by_trans[row.problem.trans].push_back(ratios->warm.back());
}

PeerSummary finish(const Ratios& ratios) {
  PeerSummary summary;
  summary.warm = summarize(ratios.warm);
  summary.first_geomean = geomean(ratios.first);
  summary.first_count = ratios.first.size();
  summary.cold_geomean = geomean(ratios.cold);
  summary.cold_count = ratios.cold.size();
  summary.unsupported = ratios.unsupported;
  for (const auto& [trans, values] : ratios.by_trans) summary.by_trans[trans] = summarize(values);
  for (const std::size_t i : smallest(ratios.warm, kWorst)) {
    summary.worst.push_back({ratios.rows[i], ratios.warm[i]});
  }
  return summary;
}

void count(const Row& row, SuiteCounts* counts) {
  ++counts->rows;
  switch (row.status) {
    case RowStatus::kMeasured:
      ++counts->measured;
      break;
    case RowStatus::kUnsupported:
      ++counts->unsupported;
      break;
    case RowStatus::kSkipped:
      ++counts->skipped;
      break;
    case RowStatus::kFailed:
      ++counts->failed;
      break;
  }
}

// For each problem the fastest first run of any oneDNN practice, with ours of the same row.
std::vector<double> first_best_ratios(const std::vector<const Row*>& rows) {
  using Key = std::tuple<int64_t, int64_t, int64_t, std::string>;
  std::map<Key, std::pair<double, double>> best;  // peer, ours
  for (const Row* row : rows) {
    if (!row->ours.ok || !row->ours.times.first_us) continue;
    for (const ContestantResult& peer : row->peers) {
      if (!peer.name.starts_with("onednn") || !peer.ok || !peer.times.first_us) continue;
      const std::pair<double, double> times{*peer.times.first_us, *row->ours.times.first_us};
      const Case& c = row->problem;
      const auto [place, fresh] = best.insert({{c.m, c.n, c.k, c.trans}, times});
      if (!fresh && times.first < place->second.first) place->second = times;
    }
  }
  std::vector<double> ratios;
  for (const auto& [key, times] : best) ratios.push_back(times.first / times.second);
  return ratios;
}

SuiteSummary summarize_suite(const std::string& suite, const std::vector<Row>& rows) {
  SuiteSummary summary;
  summary.suite = suite;
  std::vector<std::pair<std::string, Ratios>> peers;
  std::vector<const Row*> own;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if (row.problem.suite != suite) continue;
    own.push_back(&row);
    count(row, &summary.counts);
    for (const ContestantResult& peer : row.peers) {
      auto place = std::find_if(peers.begin(), peers.end(),
                                [&](const auto& entry) { return entry.first == peer.name; });
      if (place == peers.end()) place = peers.insert(peers.end(), {peer.name, {}});
      add_peer(row, i, peer, &place->second);
    }
  }
  for (const auto& [name, ratios] : peers) summary.peers.emplace_back(name, finish(ratios));
  const std::vector<double> first = first_best_ratios(own);
  summary.first_best_onednn = geomean(first);
  summary.first_best_count = first.size();
  return summary;
}

}  // namespace

std::vector<SuiteSummary> summarize_suites(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows) {
    if (std::find(names.begin(), names.end(), row.problem.suite) == names.end()) {
      names.push_back(row.problem.suite);
    }
  }
  std::vector<SuiteSummary> summaries;
  for (const std::string& name : names) summaries.push_back(summarize_suite(name, rows));
  return summaries;
}

RooflineSummary summarize_roofline(const std::vector<Row>& rows, double gflops,
                                   double memory_gb_per_s, double cache_gb_per_s) {
  std::vector<double> level;
  std::vector<double> memory;
  for (const Row& row : rows) {
    if (!row.ours.ok || !row.ours.times.warm_us || row.problem.flop() < kRooflineFlop) continue;
    const double micros = *row.ours.times.warm_us;
    const double flop = row.problem.flop();
    const double bytes = row.problem.bytes();
    const double bandwidth = row.from_llc ? cache_gb_per_s : memory_gb_per_s;
    level.push_back(roofline_micros(flop, bytes, gflops, bandwidth) / micros);
    memory.push_back(roofline_micros(flop, bytes, gflops, memory_gb_per_s) / micros);
  }
  return {geomean(level), geomean(memory), level.size()};
}

}  // namespace mikpoly::bench
