#include "backends/cpu/candidates.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/kernel_sets.h"

namespace mikpoly::cpu {
namespace {

constexpr const char* kBLayoutNames[] = {"packed", "rows", "rows_aliased", "columns", "strided"};
constexpr const char* kALayoutNames[] = {"along_k", "along_k_aliased", "along_m", "strided"};
constexpr int64_t kAliasBytes = 4096;
constexpr int64_t kHarmlessRows = 7;  // of A that alias and still fit the ways of a cache
constexpr int kMaxBlockRows = 1024;
constexpr int kMaxBlockCols = 1024;
constexpr int64_t kMaxBlockSize = int64_t{1} << 17;  // larger ones leave too few tasks to balance
constexpr int kMaxSlices = 64;

std::vector<BSource> sources(BLayout layout) {
  switch (layout) {
    case BLayout::kPacked:
      return {BSource::kPacked};
    case BLayout::kRows:
    case BLayout::kRowsAliased:
      return {BSource::kDirect, BSource::kCopied};
    case BLayout::kColumns:
      return {BSource::kDot, BSource::kCopied};
    default:
      return {BSource::kCopied};
  }
}

std::vector<ASource> sources(ALayout layout) {
  if (layout == ALayout::kStrided) return {ASource::kCopied};
  return {ASource::kDirect, ASource::kCopied};
}

// Blocks whose working set no cache level holds, or that add nothing to a smaller one, are left
// out.
bool worthwhile(const BlockKernel& k, const KernelSet& set, const CacheSizes& caches) {
  const int64_t a_bytes = int64_t{k.um} * k.uk * 4;
  const int64_t b_bytes = int64_t{k.un} * k.uk * 4;
  const int64_t panel_bytes = int64_t{tile_cols(k, set)} * k.uk * 4;
  if (int64_t{k.um} * k.un > kMaxBlockSize) return false;
  const bool one_row_tile = k.um == k.tile_rows;
  const bool one_panel = k.un == tile_cols(k, set);
  if (k.a == ASource::kCopied && (one_panel || 2 * a_bytes > caches.l2)) return false;
  if (k.b == BSource::kCopied && (one_row_tile || 2 * b_bytes > caches.l2)) return false;
  if (!one_panel && 2 * a_bytes > caches.l2) return false;
  return one_row_tile || panel_bytes <= 2 * caches.l1;
}

void add_blocks(BlockKernel k, const KernelSet& set, const CacheSizes& caches,
                std::vector<BlockKernel>* out) {
  const int cols = tile_cols(k, set);
  for (int rows = k.tile_rows; rows <= kMaxBlockRows; rows *= 2) {
    for (int c = cols; c <= kMaxBlockCols; c *= 2) {
      for (const int depth : {256, 512, 1024}) {
        k.um = rows;
        k.un = c;
        k.uk = depth;
        if (worthwhile(k, set, caches)) out->push_back(k);
      }
    }
  }
}

bool aliased(int64_t stride) {
  return stride * static_cast<int64_t>(sizeof(float)) % kAliasBytes == 0;
}

}  // namespace

bool along_k(ALayout layout) {
  return layout == ALayout::kAlongK || layout == ALayout::kAlongKAliased;
}

Kind kind_of(const GemmCall& call) {
  Kind kind;
  // A single column is contiguous along K even where it counts as a row-major matrix.
  if (!call.b_packed) {
    const bool columns = call.b.row == 1 && (call.b.col != 1 || call.shape.n == 1);
    kind.b = columns               ? BLayout::kColumns
             : call.b.col != 1     ? BLayout::kStrided
             : aliased(call.b.row) ? BLayout::kRowsAliased
                                   : BLayout::kRows;
  }
  const bool many_rows = call.shape.m > kHarmlessRows;
  kind.a = call.a.col == 1
               ? (many_rows && aliased(call.a.row) ? ALayout::kAlongKAliased : ALayout::kAlongK)
           : call.a.row == 1 ? ALayout::kAlongM
                             : ALayout::kStrided;
  return kind;
}

std::string to_string(Kind kind) {
  return std::string("f32.") + kBLayoutNames[static_cast<int>(kind.b)] + "." +
         kALayoutNames[static_cast<int>(kind.a)];
}

std::vector<BlockKernel> candidates(Kind kind, const KernelSet& set, const CacheSizes& caches) {
  std::vector<BlockKernel> out;
  for (const TileRow& row : tile_rows()) {
    if (std::strcmp(row.isa, set.isa) != 0) continue;
    for (const BSource b : sources(kind.b)) {
      if (row.dot != (b == BSource::kDot)) continue;
      if (row.dot && !along_k(kind.a)) continue;
      for (const ASource a : sources(kind.a)) {
        if (row.dot && a == ASource::kCopied) continue;
        add_blocks({row.rows, row.vectors, 0, 0, 0, b, a}, set, caches, &out);
      }
    }
  }
  return out;
}

MicroKernel describe(const BlockKernel& kernel, const KernelSet& set) {
  MicroKernel m;
  m.name = name_of(kernel, set);
  m.um = kernel.um;
  m.un = kernel.un;
  m.uk = kernel.uk;
  m.tile_n = kernel.b == BSource::kDot ? 1 : set.lanes;
  m.max_k_slices = kMaxSlices;
  m.slice_bytes = int64_t{kernel.um} * kernel.un * static_cast<int64_t>(sizeof(float));
  return m;
}

}  // namespace mikpoly::cpu
