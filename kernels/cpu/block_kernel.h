// The micro-kernel of the CPU: a block of up to um x un outputs, computed in K steps of uk by
// register tiles.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/cpu/kernel_set.h"

namespace mikpoly::cpu {

// Where the register tiles take B from.
enum class BSource {
  kPacked,  // panels made by pack_b, read in place
  kDirect,  // rows contiguous (K x N), read in place
  kCopied,  // any layout; each K step of the block is first copied to scratch, panel by panel
  kDot,     // columns contiguous (N x K), read in place by dot tiles
};
// How A is read.
enum class ASource {
  kDirect,  // in place; a row or a column must be contiguous
  kCopied,  // any layout; each K step of the block is first copied to scratch, tile by tile
};

struct BlockKernel {
  int tile_rows = 0;     // register tile; dot: rows
  int tile_vectors = 0;  // register tile; dot: columns
  int um = 0;            // multiple of tile_rows
  int un = 0;            // multiple of tile columns
  int uk = 0;
  BSource b = BSource::kPacked;
  ASource a = ASource::kDirect;

  friend bool operator==(const BlockKernel&, const BlockKernel&) = default;
};

// Columns of a register tile.
int tile_cols(const BlockKernel& kernel, const KernelSet& set);

// gemm_f32_f32_f32_<um>x<un>x<uk>_<rows>x<cols>x1_<isa>_<b>_<a>; unique, generated from the fields.
std::string name_of(const BlockKernel& kernel, const KernelSet& set);
// False where the text is no kernel of this set.
bool parse_name(std::string_view name, const KernelSet& set, BlockKernel* kernel);

// Sizes and strides of a block's operands: element (i, k) of A at a[i * a_row + k * a_k], (k, j) of
// B at b[k * b_k + j * b_col], of C at c[i * c_row + j * c_col]; pointers name element (0, 0) of
// the whole matrices. Packed B: b is the packed data and packed_depth its K.
struct Operands {
  const float* a = nullptr;
  const float* b = nullptr;
  int64_t a_row = 0;
  int64_t a_k = 0;
  int64_t b_k = 0;
  int64_t b_col = 0;
  int64_t packed_depth = 0;
  int64_t a_rows =
      0;  // of the whole matrix: rows behind a block are fetched ahead for the next one
};

// A rectangle of the output, with its K range.
struct Block {
  int64_t row = 0;
  int64_t col = 0;  // packed B: a multiple of lanes
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t k = 0;
  int64_t depth = 0;  // >= 1
  // Rows are worked off from the last. Blocks that lie side by side and run at the same time should
  // differ: where rows of C do not begin at a cache line, they write to the same lines.
  bool bottom_up = false;
};

// Where a block's result goes: c names the block's element (0, 0), columns are contiguous.
struct Output {
  float* c = nullptr;
  int64_t row = 0;
  float alpha = 1;
  float beta = 0;
};

// Floats of scratch a kernel needs.
int64_t scratch_floats(const BlockKernel& kernel, const KernelSet& set);

// C = alpha * A B + beta * C over the block. scratch holds scratch_floats(), 64-byte aligned. Reads
// and writes nothing outside the block's elements; beta == 0 never reads C. rows and cols may
// exceed um and un only by being a whole region: the caller cuts regions into blocks.
void run_block(const BlockKernel& kernel, const KernelSet& set, const Operands& operands,
               const Block& block, const Output& out, float* scratch);

// Packed B: panels of `lanes` columns, K x lanes each, the last one padded with zeros.
int64_t packed_floats(int64_t k, int64_t n, const KernelSet& set);
// Packs panels [first, last).
void pack_panels(const KernelSet& set, const float* b, int64_t b_k, int64_t b_col, int64_t k,
                 int64_t n, int64_t first, int64_t last, float* packed);

}  // namespace mikpoly::cpu
