#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "bench/report/bench_report.h"
#include "bench/report/summary.h"

namespace mikpoly::bench {
namespace {

constexpr std::size_t kWorst = 10;

struct Paint {
  bool colour;
  const char* good() const { return colour ? "\033[32m" : ""; }
  const char* bad() const { return colour ? "\033[31m" : ""; }
  const char* bold() const { return colour ? "\033[1m" : ""; }
  const char* off() const { return colour ? "\033[0m" : ""; }
};

std::string number(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(3) << value;
  return text.str();
}

std::string percent(double share) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << 100 * share << "%";
  return text.str();
}

void print_header(const Paint& paint, std::ostream& out) {
  out << paint.bold() << std::left << std::setw(15) << "suite" << std::setw(15) << "peer"
      << std::right << std::setw(6) << "count" << std::setw(9) << "geomean" << std::setw(8) << "min"
      << std::setw(8) << "p05" << std::setw(8) << "p50" << std::setw(8) << "p95" << std::setw(8)
      << "<0.98" << std::setw(8) << "<0.95" << std::setw(8) << ">1.02" << std::setw(9) << "first"
      << paint.off() << "\n";
}

void print_peer(const std::string& suite, const std::string& name, const PeerSummary& peer,
                const Paint& paint, std::ostream& out) {
  const RatioSummary& warm = peer.warm;
  out << std::left << std::setw(15) << suite << std::setw(15) << name << std::right << std::setw(6)
      << warm.count << (warm.geomean >= 1 ? paint.good() : paint.bad()) << std::setw(9)
      << number(warm.geomean) << paint.off() << std::setw(8) << number(warm.min) << std::setw(8)
      << number(warm.p05) << std::setw(8) << number(warm.p50) << std::setw(8) << number(warm.p95)
      << std::setw(8) << percent(warm.below_098) << std::setw(8) << percent(warm.below_095)
      << std::setw(8) << percent(warm.above_102) << std::setw(9)
      << (peer.first_count > 0 ? number(peer.first_geomean) : "-") << "\n";
}

void print_counts(const SuiteSummary& suite, const Paint& paint, std::ostream& out) {
  const SuiteCounts& counts = suite.counts;
  out << std::left << std::setw(15) << suite.suite << counts.rows << " rows, " << counts.measured
      << " measured and right";
  if (counts.unsupported > 0) out << ", " << counts.unsupported << " unsupported";
  if (counts.skipped > 0) out << ", " << counts.skipped << " skipped";
  if (counts.failed > 0) out << paint.bad() << ", " << counts.failed << " FAILED" << paint.off();
  out << "\n";
}

void print_worst(const std::vector<SuiteSummary>& suites, const std::vector<Row>& rows,
                 const Paint& paint, std::ostream& out) {
  struct Entry {
    WorstCase worst;
    std::string peer;
  };
  std::vector<Entry> entries;
  for (const SuiteSummary& suite : suites) {
    for (const auto& [name, peer] : suite.peers) {
      for (const WorstCase& worst : peer.worst) entries.push_back({worst, name});
    }
  }
  if (entries.empty()) return;
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& x, const Entry& y) { return x.worst.ratio < y.worst.ratio; });
  entries.resize(std::min(entries.size(), kWorst));
  out << "\n" << paint.bold() << "Worst " << entries.size() << paint.off() << "\n";
  for (const Entry& entry : entries) {
    const Row& row = rows[entry.worst.row];
    const Case& c = row.problem;
    out << std::setw(7) << number(entry.worst.ratio) << "  " << entry.peer << "  " << c.m << "x"
        << c.n << "x" << c.k << " " << c.trans << " " << row.weights << "\n         "
        << row.ours.choice << "\n";
  }
}

void print_faults(const std::vector<Row>& rows, const Paint& paint, std::ostream& out) {
  for (const Row& row : rows) {
    if (row.status != RowStatus::kFailed) continue;
    const Case& c = row.problem;
    out << paint.bad() << "FAILED " << paint.off() << c.suite << " " << c.m << "x" << c.n << "x"
        << c.k << " " << c.trans << " " << row.weights << ": " << row.reason << " (max_err "
        << row.ours.max_err << ", tolerance " << row.tolerance << ")\n         " << row.ours.choice
        << "\n";
  }
}

}  // namespace

void print_table(const BenchReport& report, bool colour, std::ostream& out) {
  const Paint paint{colour};
  const auto& rows = report.outcome.rows;
  const std::vector<SuiteSummary> suites = summarize_suites(rows);
  out << "mikpoly " << report.library.version << " (" << report.library.commit << "), backend "
      << report.library.backend << ", " << report.library.threads << " threads, profile "
      << report.library.profile << "\n";
  for (const PeerInfo& peer : report.peers) {
    out << peer.name << " " << peer.version << " (" << peer.note << ")\n";
    if (!peer.warning.empty())
      out << paint.bad() << "  note: " << peer.warning << paint.off() << "\n";
  }
  out << "\nRatios peer time / our time, above 1 we are faster.\n";
  print_header(paint, out);
  for (const SuiteSummary& suite : suites) {
    for (const auto& [name, peer] : suite.peers) print_peer(suite.suite, name, peer, paint, out);
  }
  out << "\n";
  for (const SuiteSummary& suite : suites) print_counts(suite, paint, out);
  const RooflineLimits& limits = report.outcome.roofline;
  const RooflineSummary roofline =
      summarize_roofline(rows, limits.fma_gflops, limits.memory_gb_per_s, limits.cache_gb_per_s);
  out << "roofline       " << number(roofline.geomean) << " of it over " << roofline.count
      << " rows above 10 MFLOP (FMA peak " << std::setprecision(4) << limits.fma_gflops
      << " GFLOP/s, memory " << limits.memory_gb_per_s << " GB/s, last-level cache "
      << limits.cache_gb_per_s << " GB/s)\n";
  if (report.oracle) {
    out << "oracle         " << number(report.oracle->geomean) << " of the best of "
        << report.oracle->plans << " plans over " << report.oracle->cases.size() << " cases, least "
        << number(report.oracle->min) << "\n";
    for (const OracleCase& c : report.oracle->cases) {
      if (!c.fault.empty()) out << paint.bad() << "FAILED " << paint.off() << c.fault << "\n";
    }
  }
  print_worst(suites, rows, paint, out);
  print_faults(rows, paint, out);
}

}  // namespace mikpoly::bench
