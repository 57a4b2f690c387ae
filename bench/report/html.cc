#include "bench/report/html.h"

#include <iomanip>
#include <sstream>

#include "bench/report/plot.h"

namespace mikpoly::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kStyle =
    "body{font:14px sans-serif;margin:2em;max-width:75em}table{border-collapse:collapse;margin:1em "
    "0}"
    "td,th{border:1px solid #ccc;padding:2px 8px;text-align:right}td.t,th.t{text-align:left}"
    "code{font-size:12px}.bad{color:#c33}.good{color:#2a7}";

// Numbers to four digits, texts escaped, null as a dash.
std::string cell(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return escape_html(value.get<std::string>());
  if (!value.is_number_float()) return escape_html(value.dump());
  std::ostringstream text;
  text << std::setprecision(4) << value.get<double>();
  return text.str();
}

std::string field(const Json& object, const char* name) {
  return object.contains(name) ? cell(object.at(name)) : "-";
}

std::string shape(const Json& row) {
  return field(row, "m") + "x" + field(row, "n") + "x" + field(row, "k") + " " +
         field(row, "trans") + " " + field(row, "weights");
}

void write_pairs(const Json& object, const char* title, std::ostream& out) {
  out << "<h2>" << title << "</h2><table>";
  for (const auto& [name, value] : object.items()) {
    if (value.is_structured()) continue;
    out << "<tr><td class=t>" << escape_html(name) << "</td><td class=t>" << cell(value)
        << "</td></tr>";
  }
  out << "</table>\n";
}

void write_peers(const Json& bench, std::ostream& out) {
  out << "<h2>Peers</h2><table><tr><th class=t>peer<th class=t>version<th class=t>note</tr>";
  for (const Json& peer : bench.at("peer_details")) {
    out << "<tr><td class=t>" << field(peer, "name") << "</td><td class=t>"
        << field(peer, "version") << "</td><td class=t>" << field(peer, "note")
        << " <span class=bad>" << field(peer, "warning") << "</span></td></tr>";
  }
  out << "</table>\n";
}

constexpr const char* kColumns[] = {
    "count",    "warm_geomean",     "warm_min",         "warm_p05",         "warm_p50",
    "warm_p95", "share_below_0.98", "share_below_0.95", "share_above_1.02", "first_geomean"};

bool is_suite(const std::string& name, const Json& value) {
  return name != "oracle" && name != "roofline" && value.is_object();
}

void write_summary(const Json& bench, std::ostream& out) {
  out << "<h2>Ratios, peer time / our time</h2><table><tr><th class=t>suite<th class=t>peer";
  for (const char* column : kColumns) out << "<th>" << column;
  out << "</tr>";
  for (const auto& [suite, peers] : bench.at("summary").items()) {
    if (!is_suite(suite, peers)) continue;
    for (const auto& [name, peer] : peers.items()) {
      out << "<tr><td class=t>" << escape_html(suite) << "</td><td class=t>" << escape_html(name)
          << "</td>";
      for (const char* column : kColumns) out << "<td>" << field(peer, column) << "</td>";
      out << "</tr>";
    }
  }
  out << "</table>\n";
  const Json& roofline = bench.at("summary").at("roofline");
  out << "<p>Roofline: " << field(roofline, "geomean") << " over " << field(roofline, "count")
      << " rows above 10 MFLOP.";
  const Json& oracle = bench.at("summary").at("oracle");
  if (oracle.is_object()) {
    out << " Oracle: " << field(oracle, "geomean") << ", least " << field(oracle, "min")
        << ", over " << field(oracle, "count") << " cases and " << field(oracle, "plans")
        << " plans.";
  }
  out << "</p>\n<table><tr><th class=t>suite<th>rows<th>measured<th>unsupported<th>skipped"
         "<th>failed</tr>";
  for (const auto& [suite, counts] : bench.at("counts").items()) {
    out << "<tr><td class=t>" << escape_html(suite) << "</td>";
    for (const char* name : {"rows", "measured", "unsupported", "skipped", "failed"}) {
      out << "<td>" << field(counts, name) << "</td>";
    }
    out << "</tr>";
  }
  out << "</table>\n";
}

// Warm ratio of a row's peer; 0 where there is none.
double warm_ratio(const Json& row, const Json& peer) {
  const Json& ours = row.at("ours").at("warm_us");
  const Json& theirs = peer.at("warm_us");
  if (!ours.is_number() || !theirs.is_number() || ours.get<double>() <= 0) return 0;
  return theirs.get<double>() / ours.get<double>();
}

void write_plots(const Json& bench, std::ostream& out) {
  out << "<h2>Ratio over size</h2>\n";
  for (const auto& [suite, peers] : bench.at("summary").items()) {
    if (!is_suite(suite, peers)) continue;
    for (const auto& [name, peer] : peers.items()) {
      std::vector<PlotPoint> points;
      for (const Json& row : bench.at("cases")) {
        if (row.at("suite") != suite || !row.at("peers").contains(name)) continue;
        const double ratio = warm_ratio(row, row.at("peers").at(name));
        if (ratio <= 0) continue;
        std::ostringstream label;
        label << std::setprecision(3) << ratio << " at " << field(row, "m") << "x"
              << field(row, "n") << "x" << field(row, "k") << " " << field(row, "trans");
        points.push_back({row.at("flop").get<double>(), ratio, label.str()});
      }
      out << plot_ratios(points, suite + " against " + name);
    }
  }
}

void write_worst(const Json& bench, std::ostream& out) {
  out << "<h2>Worst cases</h2><table><tr><th class=t>suite<th class=t>peer<th>ratio"
         "<th class=t>shape<th class=t>plan</tr>";
  for (const auto& [suite, peers] : bench.at("summary").items()) {
    if (!is_suite(suite, peers)) continue;
    for (const auto& [name, peer] : peers.items()) {
      for (const Json& worst : peer.at("worst")) {
        out << "<tr><td class=t>" << escape_html(suite) << "</td><td class=t>" << escape_html(name)
            << "</td><td>" << field(worst, "ratio") << "</td><td class=t>" << shape(worst)
            << "</td><td class=t><code>" << field(worst, "plan") << "</code></td></tr>";
      }
    }
  }
  out << "</table>\n";
}

void write_rows(const Json& bench, std::ostream& out) {
  out << "<details><summary>All rows</summary><table><tr><th class=t>suite<th class=t>shape"
         "<th class=t>status<th>ours first<th>ours warm<th>ours cold<th class=t>peers: first / "
         "warm "
         "/ cold<th class=t>plan</tr>\n";
  for (const Json& row : bench.at("cases")) {
    const Json& ours = row.at("ours");
    out << "<tr><td class=t>" << field(row, "suite") << "</td><td class=t>" << shape(row)
        << "</td><td class=t>" << field(row, "status");
    if (row.contains("reason")) out << ": " << field(row, "reason");
    out << "</td><td>" << field(ours, "first_us") << "</td><td>" << field(ours, "warm_us")
        << "</td><td>" << field(ours, "cold_us") << "</td><td class=t>";
    for (const auto& [name, peer] : row.at("peers").items()) {
      out << escape_html(name) << ": " << field(peer, "first_us") << " / " << field(peer, "warm_us")
          << " / " << field(peer, "cold_us") << "<br>";
    }
    out << "</td><td class=t><code>" << field(row, "plan") << "</code></td></tr>\n";
  }
  out << "</table></details>\n";
}

}  // namespace

std::string escape_html(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

std::string html_report(const Json& bench) {
  std::ostringstream out;
  out << "<!doctype html><html lang=en><meta charset=utf-8><title>mikpoly bench</title><style>"
      << kStyle << "</style>\n<h1>mikpoly bench</h1>\n<p><code>" << field(bench, "command")
      << "</code></p>\n<p>" << field(bench, "method") << "</p>\n";
  write_summary(bench, out);
  write_plots(bench, out);
  write_worst(bench, out);
  write_pairs(bench.at("library"), "Library", out);
  write_pairs(bench.at("machine"), "Machine", out);
  write_peers(bench, out);
  write_rows(bench, out);
  out << "</html>\n";
  return out.str();
}

}  // namespace mikpoly::bench
