#include "planner/catalog.h"

#include <algorithm>
#include <utility>

namespace mikpoly {
namespace {

// Compares two piecewise linear curves over depth: it is enough to look at both sides of every
// break, at a depth of one, and at the slopes beyond the last break.
bool curve_never_above(const HotKernel& a, const HotKernel& b) {
  const auto at_most = [&](double depth) {
    return a.curve.at(depth * a.inv_uk) <= b.curve.at(depth * b.inv_uk);
  };
  const auto at_breaks_of = [&](const HotKernel& kernel) {
    constexpr double kBefore = 1 - 1e-12;
    constexpr double kAfter = 1 + 1e-12;
    for (int i = 1; i < kernel.curve.count; ++i) {
      const double depth = kernel.curve.pieces[i].from_step * kernel.uk;
      if (!at_most(depth * kBefore) || !at_most(depth * kAfter)) return false;
    }
    return true;
  };
  return a.rate <= b.rate && at_most(1) && at_breaks_of(a) && at_breaks_of(b);
}

// Measured shares differ everywhere by a little: such axes are not compared.
bool axis_never_above(const Axis& a, const Axis& b) {
  if (a.shares.count > 0 || b.shares.count > 0) return false;
  const double tiles = b.tile * a.inv_tile;
  return a.edge <= b.edge && tiles == floor_of(tiles);
}

// Whether a plan never gets worse where `a` takes the place of `b`. A longer K step allows fewer
// slices, see slice_choices.
bool dominates(const HotKernel& a, const HotKernel& b) {
  const double tiles = b.tile_k * a.inv_tile_k;
  return a.m.block == b.m.block && a.n.block == b.n.block && a.resident == b.resident &&
         a.max_k_slices >= b.max_k_slices && a.slice_ns <= b.slice_ns &&
         (a.uk <= b.uk || b.max_k_slices <= 1) && tiles == floor_of(tiles) &&
         axis_never_above(a.m, b.m) && axis_never_above(a.n, b.n) && curve_never_above(a, b);
}

// Two equal kernels dominate each other; the earlier stays.
bool dominated(const std::vector<HotKernel>& kernels, const HotKernel& kernel) {
  return std::any_of(kernels.begin(), kernels.end(), [&](const HotKernel& other) {
    if (other.id == kernel.id || !dominates(other, kernel)) return false;
    return other.id < kernel.id || !dominates(kernel, other);
  });
}

}  // namespace

Catalog::Catalog(std::vector<MicroKernel> kernels, DeviceModel device, OperandBytes bytes)
    : kernels_(std::move(kernels)), device_(device), bytes_(bytes) {
  hot_.reserve(kernels_.size());
  for (const MicroKernel& kernel : kernels_) {
    hot_.emplace_back(kernel, static_cast<KernelId>(hot_.size()));
  }
  for (const HotKernel& kernel : hot_) {
    if (!dominated(hot_, kernel)) ranked_.push_back(kernel);
  }
  std::stable_sort(ranked_.begin(), ranked_.end(),
                   [](const HotKernel& a, const HotKernel& b) { return a.rate < b.rate; });
  ranked_padded_ = ranked_;
  for (HotKernel& kernel : ranked_padded_) {
    const auto pad = [](Axis* axis) {
      const int block = static_cast<int>(axis->block);
      *axis = Axis(block, block, 0);
    };
    pad(&kernel.m);
    pad(&kernel.n);
  }
}

KernelId Catalog::find(std::string_view name) const {
  for (size_t i = 0; i < kernels_.size(); ++i) {
    if (kernels_[i].name == name) return static_cast<KernelId>(i);
  }
  return -1;
}

}  // namespace mikpoly
