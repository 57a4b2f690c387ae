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

// Only tiles that multiply single elements of K can read rows as they lie.
std::vector<BSource> sources(BLayout layout, const Formats& f) {
  const KernelSet& set = *f.set;
  if (!f.b_in_place) return {BSource::kCopied};
  switch (layout) {
    case BLayout::kPacked:
      return {BSource::kPacked};
    case BLayout::kRows:
    case BLayout::kRowsAliased:
      if (set.group > 1) return {BSource::kCopied};
      return {BSource::kDirect, BSource::kCopied};
    case BLayout::kColumns:
      if (set.dot_rows == 0) return {BSource::kCopied};
      return {BSource::kDot, BSource::kCopied};
    default:
      return {BSource::kCopied};
  }
}

std::vector<ASource> sources(ALayout layout, const Formats& f) {
  const bool transposed = layout == ALayout::kAlongM && f.set->group > 1;
  if (layout == ALayout::kStrided || transposed || !f.a_in_place) return {ASource::kCopied};
  return {ASource::kDirect, ASource::kCopied};
}

// Blocks whose working set no cache level holds, or that add nothing to a smaller one, are left
// out. must_copy: there is no other way to read the operand.
struct MustCopy {
  bool a;
  bool b;
};

bool worthwhile(const BlockKernel& k, const KernelSet& set, const CacheSizes& caches,
                MustCopy must) {
  const int64_t a_bytes = int64_t{k.um} * k.uk * set.in_bytes;
  const int64_t b_bytes = int64_t{k.un} * k.uk * set.in_bytes;
  const int64_t panel_bytes = int64_t{tile_cols(k, set)} * k.uk * set.in_bytes;
  if (int64_t{k.um} * k.un > kMaxBlockSize) return false;
  const bool one_row_tile = k.um == k.tile_rows;
  const bool one_panel = k.un == tile_cols(k, set);
  if (k.a == ASource::kCopied && ((one_panel && !must.a) || 2 * a_bytes > caches.l2)) return false;
  if (k.b == BSource::kCopied && ((one_row_tile && !must.b) || 2 * b_bytes > caches.l2)) {
    return false;
  }
  if (!one_panel && 2 * a_bytes > caches.l2) return false;
  return one_row_tile || panel_bytes <= 2 * caches.l1;
}

void add_blocks(BlockKernel k, const KernelSet& set, const CacheSizes& caches, MustCopy must,
                std::vector<BlockKernel>* out) {
  const int cols = tile_cols(k, set);
  for (int rows = k.tile_rows; rows <= kMaxBlockRows; rows *= 2) {
    for (int c = cols; c <= kMaxBlockCols; c *= 2) {
      for (const int depth : {256, 512, 1024}) {
        k.um = rows;
        k.un = c;
        k.uk = depth;
        if (worthwhile(k, set, caches, must)) out->push_back(k);
      }
    }
  }
}

bool aliased(int64_t stride, DType type) {
  return stride * static_cast<int64_t>(size_of(type)) % kAliasBytes == 0;
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
    kind.b = columns                            ? BLayout::kColumns
             : call.b.col != 1                  ? BLayout::kStrided
             : aliased(call.b.row, call.b_type) ? BLayout::kRowsAliased
                                                : BLayout::kRows;
  }
  const bool many_rows = call.shape.m > kHarmlessRows;
  kind.a = call.a.col == 1
               ? (many_rows && aliased(call.a.row, call.a_type) ? ALayout::kAlongKAliased
                                                                : ALayout::kAlongK)
           : call.a.row == 1 ? ALayout::kAlongM
                             : ALayout::kStrided;
  return kind;
}

std::string to_string(Kind kind) {
  return std::string(kBLayoutNames[static_cast<int>(kind.b)]) + "." +
         kALayoutNames[static_cast<int>(kind.a)];
}

std::string catalog_name(DType a, DType b, Kind kind) {
  const std::string types = to_string(a);
  return (a == b ? types : types + "_" + to_string(b)) + "." + to_string(kind);
}

std::vector<BlockKernel> candidates(Kind kind, const Formats& formats, const CacheSizes& caches) {
  const KernelSet& set = *formats.set;
  const std::vector<BSource> b_sources = sources(kind.b, formats);
  const std::vector<ASource> a_sources = sources(kind.a, formats);
  const MustCopy must{a_sources.size() == 1 && kind.a != ALayout::kStrided,
                      b_sources.size() == 1 && kind.b != BLayout::kStrided};
  std::vector<BlockKernel> out;
  for (const TileRow& row : tile_rows()) {
    if (row.math != set.math || std::strcmp(row.isa, set.isa) != 0) continue;
    for (const BSource b : b_sources) {
      if (row.dot != (b == BSource::kDot)) continue;
      if (row.dot && (!along_k(kind.a) || !formats.a_in_place)) continue;
      for (const ASource a : a_sources) {
        if (row.dot && a == ASource::kCopied) continue;
        add_blocks({row.rows, row.vectors, 0, 0, 0, b, a}, set, caches, must, &out);
      }
    }
  }
  return out;
}

MicroKernel describe(const BlockKernel& kernel, Kind kind, const Formats& formats) {
  const KernelSet& set = *formats.set;
  MicroKernel m;
  m.name = name_of(kernel, set);
  m.um = kernel.um;
  m.un = kernel.un;
  m.uk = kernel.uk;
  m.tile_n = kernel.b == BSource::kDot ? 1 : set.lanes;
  // Sums of B's columns over the whole K, which corrections of integer sums need, exist only beside
  // weights packed for the tiles.
  const bool whole_k =
      set.sum_columns != nullptr && (kind.b != BLayout::kPacked || !formats.b_in_place);
  m.max_k_slices = whole_k ? 1 : kMaxSlices;
  m.slice_bytes = int64_t{kernel.um} * kernel.un * set.out_bytes;
  return m;
}

}  // namespace mikpoly::cpu
