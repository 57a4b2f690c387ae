// The JSON of `mikpoly bench`. Outside programs read it: fields may be added, never renamed.
#include <algorithm>

#include "bench/measure/machine.h"
#include "bench/report/bench_report.h"
#include "bench/report/summary.h"

namespace mikpoly::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMethod =
    "Ratios are peer time / our time. first_us: a shape new to both sides in this process: our "
    "planning and run; the peer's descriptor and primitive creation and run; laying out packed "
    "weights is left out on both sides, and so is onednn-runtime's one primitive a layout. "
    "warm_us: "
    "median; contestants alternate and every run uses the next of `rotation` copies of the "
    "operands, so that all of them, weights included, come from the last-level cache, or from "
    "memory where one copy exceeds it. cold_us: all caches swept before each run. Rows with packed "
    "weights hold peers that pack, rows with plain weights the others. A peer with threads of its "
    "own is timed in blocks after the other threads sleep. The roofline takes the largest sample "
    "of "
    "FMA peak and bandwidth of this run.";

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json times_json(const ContestantResult& result) {
  Json json;
  json["first_us"] = optional(result.times.first_us);
  json["warm_us"] = optional(result.times.warm_us);
  json["cold_us"] = optional(result.times.cold_us);
  json["repeats"] = result.repeats;
  json["calls_per_repeat"] = result.batch;
  return json;
}

Json peer_json(const ContestantResult& result) {
  Json json = times_json(result);
  json["ok"] = result.unsupported ? Json(nullptr) : Json(result.ok);
  json["max_err"] = result.max_err;
  if (!result.choice.empty()) json["implementation"] = result.choice;
  if (!result.reason.empty()) json["reason"] = result.reason;
  return json;
}

Json row_json(const Row& row, const RooflineLimits& limits) {
  const Case& problem = row.problem;
  const bool checked = row.status == RowStatus::kMeasured || row.status == RowStatus::kFailed;
  Json json;
  json["suite"] = problem.suite;
  json["op"] = problem.op;
  json["m"] = problem.m;
  json["n"] = problem.n;
  json["k"] = problem.k;
  json["batch"] = problem.batch;
  json["dtype"] = problem.dtype;
  json["trans"] = problem.trans.empty() ? "NN" : problem.trans;
  json["weights"] = row.weights;
  if (!problem.source.empty()) json["source"] = problem.source;
  json["status"] = to_string(row.status);
  if (!row.reason.empty()) json["reason"] = row.reason;
  json["ok"] = checked ? Json(row.status == RowStatus::kMeasured) : Json(nullptr);
  json["max_err"] = checked ? Json(row.ours.max_err) : Json(nullptr);
  json["tolerance"] = row.tolerance;
  json["plan"] = row.ours.choice;
  json["plan_us"] = optional(row.plan_us);
  json["rotation"] = row.rotation;
  json["operands_from"] = row.from_llc ? "last-level cache" : "memory";
  json["flop"] = problem.flop();
  json["roofline_us"] =
      roofline_micros(problem.flop(), problem.bytes(), limits.fma_gflops,
                      row.from_llc ? limits.cache_gb_per_s : limits.memory_gb_per_s);
  json["ours"] = times_json(row.ours);
  json["peers"] = Json::object();
  for (const ContestantResult& peer : row.peers) json["peers"][peer.name] = peer_json(peer);
  return json;
}

Json worst_json(const WorstCase& worst, const std::vector<Row>& rows) {
  const Row& row = rows[worst.row];
  Json json;
  json["row"] = worst.row;
  json["m"] = row.problem.m;
  json["n"] = row.problem.n;
  json["k"] = row.problem.k;
  json["trans"] = row.problem.trans;
  json["weights"] = row.weights;
  json["ratio"] = worst.ratio;
  json["plan"] = row.ours.choice;
  return json;
}

Json ratios_json(const RatioSummary& warm) {
  Json json;
  json["count"] = warm.count;
  json["warm_geomean"] = warm.geomean;
  json["warm_min"] = warm.min;
  json["warm_p05"] = warm.p05;
  json["warm_p50"] = warm.p50;
  json["warm_p95"] = warm.p95;
  json["share_below_0.98"] = warm.below_098;
  json["share_below_0.95"] = warm.below_095;
  json["share_above_1.02"] = warm.above_102;
  return json;
}

Json peer_summary_json(const PeerSummary& peer, const std::vector<Row>& rows) {
  Json json = ratios_json(peer.warm);
  json["first_geomean"] = peer.first_count > 0 ? Json(peer.first_geomean) : Json(nullptr);
  json["first_count"] = peer.first_count;
  json["cold_geomean"] = peer.cold_count > 0 ? Json(peer.cold_geomean) : Json(nullptr);
  json["unsupported"] = peer.unsupported;
  for (const auto& [trans, ratios] : peer.by_trans) json["by_trans"][trans] = ratios_json(ratios);
  json["worst"] = Json::array();
  for (const WorstCase& worst : peer.worst) json["worst"].push_back(worst_json(worst, rows));
  return json;
}

Json oracle_json(const std::optional<OracleSummary>& oracle) {
  Json json;
  if (!oracle) return nullptr;
  json["geomean"] = oracle->geomean;
  json["min"] = oracle->min;
  json["count"] = oracle->cases.size();
  json["plans"] = oracle->plans;
  json["weights"] = oracle->packed ? "packed" : "plain";
  json["left_out"] = oracle->left_out;
  json["cases"] = Json::array();
  for (const OracleCase& c : oracle->cases) {
    json["cases"].push_back({{"m", c.problem.m},
                             {"n", c.problem.n},
                             {"k", c.problem.k},
                             {"trans", c.problem.trans},
                             {"ratio", c.ratio},
                             {"plans", c.plans},
                             {"capped", c.capped},
                             {"chosen_us", c.chosen_us},
                             {"best_us", c.best_us},
                             {"chosen", c.chosen},
                             {"best", c.best},
                             {"fault", c.fault}});
  }
  return json;
}

Json machine_json(const BenchReport& report) {
  const MachineInfo& machine = this_machine();
  return {{"cpu", machine.cpu},
          {"system", machine.system},
          {"cpus", machine.cpus},
          {"avx512", machine.avx512},
          {"l2_bytes", machine.l2_bytes},
          {"llc_bytes", machine.llc_bytes},
          {"memory_bytes", machine.memory_bytes},
          {"load_before", report.load_before},
          {"load_after", load_average()}};
}

Json limits_json(const RooflineLimits& limits) {
  return {{"fma_gflops", limits.fma_gflops},
          {"memory_gb_per_s", limits.memory_gb_per_s},
          {"cache_gb_per_s", limits.cache_gb_per_s}};
}

Json counts_json(const SuiteCounts& counts) {
  return {{"rows", counts.rows},
          {"measured", counts.measured},
          {"unsupported", counts.unsupported},
          {"skipped", counts.skipped},
          {"failed", counts.failed}};
}

void add_summaries(const BenchReport& report, Json* json) {
  const auto& rows = report.outcome.rows;
  const RooflineLimits& limits = report.outcome.roofline;
  Json& summary = (*json)["summary"];
  for (const SuiteSummary& suite : summarize_suites(rows)) {
    summary[suite.suite] = Json::object();
    for (const auto& [name, peer] : suite.peers) {
      summary[suite.suite][name] = peer_summary_json(peer, rows);
    }
    (*json)["counts"][suite.suite] = counts_json(suite.counts);
    if (suite.first_best_count > 0) {
      (*json)["first_best_of_onednn"][suite.suite] = {{"geomean", suite.first_best_onednn},
                                                      {"count", suite.first_best_count}};
    }
  }
  summary["oracle"] = oracle_json(report.oracle);
  const RooflineSummary roofline =
      summarize_roofline(rows, limits.fma_gflops, limits.memory_gb_per_s, limits.cache_gb_per_s);
  summary["roofline"] = {{"geomean", roofline.geomean},
                         {"count", roofline.count},
                         {"geomean_memory", roofline.geomean_memory}};
}

}  // namespace

bool BenchReport::ok() const {
  const auto& rows = outcome.rows;
  if (std::any_of(rows.begin(), rows.end(),
                  [](const Row& row) { return row.status == RowStatus::kFailed; })) {
    return false;
  }
  return !oracle || std::all_of(oracle->cases.begin(), oracle->cases.end(),
                                [](const OracleCase& c) { return c.fault.empty(); });
}

Json to_json(const BenchReport& report) {
  Json json;
  json["machine"] = machine_json(report);
  json["library"] = {{"version", report.library.version}, {"commit", report.library.commit},
                     {"backend", report.library.backend}, {"device", report.library.device},
                     {"profile", report.library.profile}, {"threads", report.library.threads}};
  json["command"] = report.command;
  json["method"] = kMethod;
  json["seconds"] = report.outcome.seconds;
  json["peers"] = Json::object();
  json["peer_details"] = Json::array();
  for (const PeerInfo& peer : report.peers) {
    json["peers"][peer.library] = peer.version;
    json["peer_details"].push_back({{"name", peer.name},
                                    {"library", peer.library},
                                    {"version", peer.version},
                                    {"note", peer.note},
                                    {"warning", peer.warning},
                                    {"threads", peer.pool}});
  }
  json["roofline"] = limits_json(report.outcome.roofline);
  for (const RooflineLimits& sample : report.outcome.roofline_samples) {
    json["roofline"]["samples"].push_back(limits_json(sample));
  }
  json["cases"] = Json::array();
  for (const Row& row : report.outcome.rows) {
    json["cases"].push_back(row_json(row, report.outcome.roofline));
  }
  json["counts"] = Json::object();
  add_summaries(report, &json);
  return json;
}

}  // namespace mikpoly::bench
