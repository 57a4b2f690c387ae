// What the offline stage learned about one device: costs of a backend's micro-kernels.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "planner/device_model.h"
#include "planner/micro_kernel.h"

namespace mikpoly {

// Measured or modelled costs of one micro-kernel; the rest of its descriptor follows from its name
// in the backend's table.
struct KernelCost {
  std::string name;
  CostCurve task_time;
  CostCurve row_share;  // empty where partial blocks cost in proportion
  CostCurve col_share;
  double slice_ns = 0;
  double fit_error = 0;  // largest relative error of the curve on its samples
};

struct Profile {
  std::string backend;
  std::string device;      // BackendInfo::device of the machine it was measured on
  std::string table_hash;  // BackendInfo::table_hash of the library that measured it
  std::string library;     // version
  std::string date;        // ISO 8601
  DeviceModel device_model;
  // Kept micro-kernels by catalog name (one a kind of problem, see the backend), best first.
  std::map<std::string, std::vector<KernelCost>> catalogs;
  std::string path;  // where it was read from; empty for one made in memory
};

}  // namespace mikpoly
