// The text form of a profile. Strict: unknown, missing, negative or non-finite values are refused,
// so that a damaged file can't steer plans.
#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/backend/profile_io.h"

namespace mikpoly {
namespace {

using nlohmann::json;

constexpr int kFormat = 1;

// Thrown and caught inside this file.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void expect_fields(const json& j, const char* what, std::initializer_list<const char*> names) {
  if (!j.is_object()) throw Malformed(std::string(what) + " is not an object");
  for (const char* name : names) {
    if (!j.contains(name)) throw Malformed(std::string(what) + " lacks \"" + name + "\"");
  }
  if (j.size() != names.size()) throw Malformed(std::string(what) + " has an unknown field");
}

double number(const json& j, const char* name, double least = 0) {
  const json& value = j.at(name);
  if (!value.is_number()) throw Malformed(std::string(name) + " is not a number");
  const double x = value.get<double>();
  if (!std::isfinite(x) || x < least) throw Malformed(std::string(name) + " is out of range");
  return x;
}

// A whole number that fits what it is stored in.
template <class Int>
Int whole(const json& j, const char* name, Int least) {
  const json& value = j.at(name);
  const bool fits =
      value.is_number_unsigned()
          ? value.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<Int>::max())
          : value.is_number_integer();
  if (!fits) throw Malformed(std::string(name) + " is not a whole number in range");
  const Int x = value.get<Int>();
  if (x < least) throw Malformed(std::string(name) + " is out of range");
  return x;
}

std::string text(const json& j, const char* name) {
  if (!j.at(name).is_string()) throw Malformed(std::string(name) + " is not a string");
  return j.at(name).get<std::string>();
}

const json& array(const json& j, const char* name, std::size_t most) {
  const json& value = j.at(name);
  if (!value.is_array() || value.empty() || value.size() > most) {
    throw Malformed(std::string(name) + " is not an array of 1 to " + std::to_string(most));
  }
  return value;
}

json curve_to_json(const CostCurve& curve) {
  json pieces = json::array();
  for (int i = 0; i < curve.count; ++i) {
    const CostCurve::Piece& p = curve.pieces[static_cast<std::size_t>(i)];
    pieces.push_back(
        {{"from_step", p.from_step}, {"base_ns", p.base_ns}, {"ns_per_step", p.ns_per_step}});
  }
  return pieces;
}

CostCurve curve_from_json(const json& pieces) {
  CostCurve curve;
  for (const json& p : pieces) {
    expect_fields(p, "piece", {"from_step", "base_ns", "ns_per_step"});
    const CostCurve::Piece piece{number(p, "from_step"), number(p, "base_ns", -1e15),
                                 number(p, "ns_per_step")};
    if (curve.count > 0 &&
        piece.from_step <= curve.pieces[static_cast<std::size_t>(curve.count - 1)].from_step) {
      throw Malformed("pieces are not in order");
    }
    curve.pieces[static_cast<std::size_t>(curve.count++)] = piece;
  }
  return curve;
}

json cost_to_json(const KernelCost& c) {
  return {{"name", c.name},
          {"slice_ns", c.slice_ns},
          {"fit_error", c.fit_error},
          {"task_time", curve_to_json(c.task_time)},
          {"row_share", curve_to_json(c.row_share)},
          {"col_share", curve_to_json(c.col_share)}};
}

// Empty, or a curve.
CostCurve shares_from_json(const json& j, const char* name) {
  const json& pieces = j.at(name);
  if (pieces.is_array() && pieces.empty()) return {};
  return curve_from_json(array(j, name, CostCurve::kMaxPieces));
}

KernelCost cost_from_json(const json& j) {
  expect_fields(j, "micro-kernel",
                {"name", "slice_ns", "fit_error", "task_time", "row_share", "col_share"});
  KernelCost c;
  c.name = text(j, "name");
  c.slice_ns = number(j, "slice_ns");
  c.fit_error = number(j, "fit_error");
  c.task_time = curve_from_json(array(j, "task_time", CostCurve::kMaxPieces));
  c.row_share = shares_from_json(j, "row_share");
  c.col_share = shares_from_json(j, "col_share");
  return c;
}

json device_to_json(const DeviceModel& d) {
  json levels = json::array();
  for (int i = 0; i < d.level_count; ++i) {
    const MemoryLevel& l = d.levels[static_cast<std::size_t>(i)];
    levels.push_back({{"bytes", l.bytes},
                      {"bytes_per_ns", l.bytes_per_ns},
                      {"unit_bytes_per_ns", l.unit_bytes_per_ns}});
  }
  return {{"units", d.units},
          {"min_units", d.min_units},
          {"launch_ns", d.launch_ns},
          {"launch_ns_per_unit", d.launch_ns_per_unit},
          {"levels", levels}};
}

DeviceModel device_from_json(const json& j) {
  expect_fields(j, "device_model",
                {"units", "min_units", "launch_ns", "launch_ns_per_unit", "levels"});
  DeviceModel d;
  d.units = whole<int>(j, "units", 1);
  d.min_units = whole<int>(j, "min_units", 1);
  if (d.min_units > d.units) throw Malformed("min_units is above units");
  d.launch_ns = number(j, "launch_ns");
  d.launch_ns_per_unit = number(j, "launch_ns_per_unit");
  for (const json& l : array(j, "levels", DeviceModel::kMaxLevels)) {
    expect_fields(l, "level", {"bytes", "bytes_per_ns", "unit_bytes_per_ns"});
    d.levels[static_cast<std::size_t>(d.level_count++)] = {
        whole<int64_t>(l, "bytes", 0), number(l, "bytes_per_ns"), number(l, "unit_bytes_per_ns")};
  }
  return d;
}

Profile profile_from_json(const json& j) {
  expect_fields(
      j, "profile",
      {"format", "backend", "device", "table_hash", "library", "date", "device_model", "catalogs"});
  if (whole<int>(j, "format", 0) != kFormat)
    throw Malformed("format is not " + std::to_string(kFormat));
  Profile p;
  p.backend = text(j, "backend");
  p.device = text(j, "device");
  p.table_hash = text(j, "table_hash");
  p.library = text(j, "library");
  p.date = text(j, "date");
  p.device_model = device_from_json(j.at("device_model"));
  if (!j.at("catalogs").is_object()) throw Malformed("catalogs is not an object");
  for (const auto& [name, kernels] : j.at("catalogs").items()) {
    if (!kernels.is_array()) throw Malformed("catalog \"" + name + "\" is not an array");
    std::vector<KernelCost>& costs = p.catalogs[name];
    for (const json& k : kernels) costs.push_back(cost_from_json(k));
  }
  return p;
}

}  // namespace

// One micro-kernel a line, so that two profiles can be compared line by line.
std::string format_profile(const Profile& p) {
  const json head = {{"format", kFormat},
                     {"backend", p.backend},
                     {"device", p.device},
                     {"table_hash", p.table_hash},
                     {"library", p.library},
                     {"date", p.date},
                     {"device_model", device_to_json(p.device_model)}};
  std::string text = head.dump(1);
  text.erase(text.rfind('\n'));  // the closing brace comes after the catalogs
  text += ",\n \"catalogs\": {";
  const char* next_catalog = "\n";
  for (const auto& [name, kernels] : p.catalogs) {
    text += next_catalog + ("  " + json(name).dump()) + ": [";
    const char* next_kernel = "\n";
    for (const KernelCost& k : kernels) {
      text += next_kernel + ("   " + cost_to_json(k).dump());
      next_kernel = ",\n";
    }
    text += "]";
    next_catalog = ",\n";
  }
  return text + "}\n}\n";
}

Result<Profile> parse_profile(const std::string& source) {
  try {
    return profile_from_json(json::parse(source));
  } catch (const std::exception& e) {
    return Status{StatusCode::kInvalidArgument, e.what()};
  }
}

}  // namespace mikpoly
