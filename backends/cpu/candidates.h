// The block kernels the offline stage chooses from, by kind of problem.
#pragma once

#include <string>
#include <vector>

#include "backends/cpu/formats.h"
#include "backends/cpu/machine.h"
#include "core/backend/backend.h"
#include "kernels/cpu/block_kernel.h"

namespace mikpoly::cpu {

// How the operands of a problem lie decides which kernels can serve it and what they cost.
// "Aliased": rows lie a multiple of 4 KiB apart, so that all of them fall into the same few lines
// of a first-level cache (64 sets of 64 bytes on every x86-64 and most AArch64 cores) and evict
// each other.
enum class BLayout { kPacked, kRows, kRowsAliased, kColumns, kStrided };  // what is contiguous
enum class ALayout { kAlongK, kAlongKAliased, kAlongM, kStrided };
inline constexpr int kBLayouts = 5;
inline constexpr int kALayouts = 4;
inline constexpr int kKinds = kBLayouts * kALayouts;

struct Kind {
  BLayout b = BLayout::kPacked;
  ALayout a = ALayout::kAlongK;

  int index() const { return static_cast<int>(b) * kALayouts + static_cast<int>(a); }
  static Kind of(int index) {
    return {static_cast<BLayout>(index / kALayouts), static_cast<ALayout>(index % kALayouts)};
  }
  friend bool operator==(const Kind&, const Kind&) = default;
};

bool along_k(ALayout layout);
Kind kind_of(const GemmCall& call);
// e.g. "packed.along_k".
std::string to_string(Kind kind);
// Catalog name in profiles: the types of A and B, one where they are alike, and the kind; e.g.
// "f32.packed.along_k", "u8_s8.packed.along_k".
std::string catalog_name(DType a, DType b, Kind kind);

// Every block kernel that can serve the kind and whose blocks fit the caches.
std::vector<BlockKernel> candidates(Kind kind, const Formats& formats, const CacheSizes& caches);

// Size and grain of a kernel for the planner; costs are left empty.
MicroKernel describe(const BlockKernel& kernel, Kind kind, const Formats& formats);

}  // namespace mikpoly::cpu
