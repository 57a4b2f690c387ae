#include "planner/cost_model.h"

#include <algorithm>
#include <array>
#include <limits>

#include "planner/task_list.h"

namespace mikpoly {
namespace {

// The paper's sum: each region for itself, every block charged as a full one.
double wave_pipe_ns(std::span<const Piece> pieces, int units) {
  double total = 0;
  for (const Piece& piece : pieces) {
    const HotKernel& kernel = *piece.kernel;
    const double tasks = kernel.grid(piece.rows, piece.cols).blocks() * piece.slices;
    total += ceil_of(tasks / (units * kernel.resident)) * piece.block_ns;
  }
  return total;
}

// Slots are counted in the pieces' smallest residency: a kernel that keeps r times as many blocks
// resident fills one such slot with r of its tasks.
double makespan_ns(std::span<const Piece> pieces, int units) {
  double resident = pieces[0].kernel->resident;
  for (const Piece& piece : pieces) resident = std::min(resident, piece.kernel->resident);
  TaskList tasks;
  for (const Piece& piece : pieces) {
    tasks.add_grid(piece.kernel->grid(piece.rows, piece.cols), piece.block_ns, piece.slices,
                   resident * piece.kernel->inv_resident);
  }
  return tasks.times(units * resident, 1 / (units * resident)).makespan();
}

// The least a kernel can take for an output of this size: see Axis::least_rate. Slices of a depth
// may come cheaper than the whole where the curve bends upwards.
double least_work(const HotKernel& kernel, double m, double n, double depth, bool allow_k_split) {
  double ns = kernel.block_ns(depth, 1);
  if (allow_k_split && kernel.max_k_slices > 1) {
    const double split = kernel.steps(depth) * kernel.least_ns_per_step + 2 * kernel.slice_ns;
    ns = std::min(ns, split);
  }
  return m * kernel.m.least_rate(m, 1 / m) * n * kernel.n.least_rate(n, 1 / n) * ns *
         kernel.inv_resident;
}

}  // namespace

double task_ns(const MicroKernel& kernel, int64_t rows, int64_t cols, int64_t depth) {
  const HotKernel hot(kernel);
  return hot.grid(static_cast<double>(rows), static_cast<double>(cols)).largest() *
         hot.block_ns(static_cast<double>(depth), 1);
}

double launch_ns(const DeviceModel& device, int units) {
  if (units <= 1 && device.min_units <= 1) return 0;
  return device.launch_ns + (units - 1) * device.launch_ns_per_unit;
}

double compute_ns(std::span<const Piece> pieces, CostModel model, int units) {
  if (pieces.empty()) return 0;
  return model == CostModel::kWavePipe ? wave_pipe_ns(pieces, units) : makespan_ns(pieces, units);
}

BandwidthFloor::BandwidthFloor(const Shape& shape, const Catalog& catalog,
                               const PlanOptions& options) {
  const DeviceModel& device = catalog.device();
  if (options.model != CostModel::kMakespanBandwidth || device.level_count <= 0) return;
  const double m = static_cast<double>(shape.m);
  const double n = static_cast<double>(shape.n);
  const double k = static_cast<double>(shape.k);
  const OperandBytes& element = catalog.bytes();
  a_row_ = k * element.a;
  b_col_ = k * element.b;
  output_ = m * n * element.c;
  const double working_set = bytes(m, n);
  if (options.reads_c) output_ *= 2;
  const int outermost = device.level_count - 1;
  int level = 0;
  while (level < outermost && device.levels[level].bytes > 0 &&
         static_cast<double>(device.levels[level].bytes) < working_set) {
    ++level;
  }
  level_ = device.levels[level];
  if (level > 0) kept_ = static_cast<double>(device.levels[level - 1].bytes) / 2;
}

double BandwidthFloor::bytes(std::span<const Piece> pieces) const {
  double rows = 0;
  double cols = 0;
  for (const Piece& piece : pieces) {
    const HotKernel& kernel = *piece.kernel;
    const double strip = std::min(kernel.n.block, piece.cols) * b_col_;
    const bool again = kept_ > 0;
    rows += piece.rows * (again && piece.rows * a_row_ > kept_ ? kernel.n.cover(piece.cols) : 1.0);
    cols += piece.cols * (again && strip > kept_ ? kernel.m.cover(piece.rows) : 1.0);
  }
  return bytes(rows, cols);
}

double BandwidthFloor::ns_per_byte(int units) const {
  double rate = std::numeric_limits<double>::infinity();
  if (level_.bytes_per_ns > 0) rate = level_.bytes_per_ns;
  if (level_.unit_bytes_per_ns > 0) rate = std::min(rate, units * level_.unit_bytes_per_ns);
  return 1 / rate;
}

double plan_ns(const Plan& plan, const Catalog& catalog, const PlanOptions& options) {
  if (plan.region_count <= 0) return 0;
  std::array<Piece, Plan::kMaxRegions> all;
  for (int i = 0; i < plan.region_count; ++i) {
    const Region& region = plan.regions[i];
    const HotKernel& kernel = catalog.hot(region.kernel);
    const double slices = region.k_slices;
    all[i] = {&kernel, static_cast<double>(region.rows), static_cast<double>(region.cols), slices,
              kernel.block_ns(static_cast<double>(plan.shape.k), slices)};
  }
  const std::span<const Piece> pieces(all.data(), static_cast<size_t>(plan.region_count));
  const BandwidthFloor floor(plan.shape, catalog, options);
  const double moving = floor.bytes(pieces) * floor.ns_per_byte(plan.units);
  const double compute = compute_ns(pieces, options.model, plan.units);
  return overlapped(compute, moving) + launch_ns(catalog.device(), plan.units);
}

double lower_bound_ns(const Shape& shape, const Catalog& catalog, const PlanOptions& options,
                      int units) {
  if (shape.m <= 0 || shape.n <= 0 || catalog.hot().empty()) return 0;
  const double m = static_cast<double>(shape.m);
  const double n = static_cast<double>(shape.n);
  const double depth = static_cast<double>(shape.k);
  double work = std::numeric_limits<double>::infinity();
  for (const HotKernel& kernel : catalog.hot()) {
    work = std::min(work, least_work(kernel, m, n, depth, options.allow_k_split));
  }
  const BandwidthFloor floor(shape, catalog, options);
  const double moving = floor.bytes(m, n) * floor.ns_per_byte(units);
  constexpr double kRounding = 1 - 1e-9;  // the bound must hold although sums round
  return kRounding * (overlapped(work / units, moving) + launch_ns(catalog.device(), units));
}

}  // namespace mikpoly
