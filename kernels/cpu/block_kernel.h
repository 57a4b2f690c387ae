// The micro-kernel of the CPU: a block of up to um x un outputs, computed in K steps of uk by
// register tiles.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/cpu/finish.h"
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

// gemm_<a>_<b>_<sums>_<um>x<un>x<uk>_<rows>x<cols>x1_<isa>_<b>_<a>, the types as tiles multiply
// them; unique, generated from the fields.
std::string name_of(const BlockKernel& kernel, const KernelSet& set);
// False where the text is no kernel of this set.
bool parse_name(std::string_view name, const KernelSet& set, BlockKernel* kernel);

// The operands of a call: element (i, k) of A at a[i * a_row + k * a_k], (k, j) of B at
// b[k * b_k + j * b_col]; pointers name element (0, 0) of the whole matrices, strides count
// elements of the stored types. What is read in place must have the tiles' own type; copies
// convert.
struct Operands {
  const void* a = nullptr;
  const void* b = nullptr;
  int64_t a_row = 0;
  int64_t a_k = 0;
  int64_t b_k = 0;
  int64_t b_col = 0;
  DType a_type = DType::kF32;
  DType b_type = DType::kF32;
  // Packed B: b is the packed data and packed_depth its K. kPacked reads it in place; kCopied takes
  // it for panels of `lanes` columns in the stored type, K x lanes each (pack_stored).
  int64_t packed_depth = 0;
  // Sums of packed B's columns, where finishing needs them.
  const int32_t* packed_sums = nullptr;
  // Of the whole matrix: rows behind a block are fetched ahead for the next one.
  int64_t a_rows = 0;
};

// A rectangle of the output, with its K range.
struct Block {
  int64_t row = 0;
  int64_t col = 0;  // packed B: a multiple of lanes
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t k = 0;      // a multiple of the set's group
  int64_t depth = 0;  // >= 1
  // Rows are worked off from the last. Blocks that lie side by side and run at the same time should
  // differ: where rows of C do not begin at a cache line, they write to the same lines.
  bool bottom_up = false;
};

// Where a block's result goes. Without finishing: c names the block's element (0, 0), of the sums'
// type, columns contiguous, and C = alpha * A B + beta * C. With it: everything is said there, and
// the block must span the whole K.
struct Output {
  void* c = nullptr;
  int64_t row = 0;
  double alpha = 1;
  double beta = 0;
  const Finishing* finishing = nullptr;
};

// Bytes of scratch a kernel needs.
int64_t scratch_bytes(const BlockKernel& kernel, const KernelSet& set, bool finishing);

// Computes a block. scratch holds scratch_bytes(), 64-byte aligned. Reads and writes nothing
// outside the block's elements; beta == 0 never reads C. rows and cols are at most um and un.
void run_block(const BlockKernel& kernel, const KernelSet& set, const Operands& operands,
               const Block& block, const Output& out, void* scratch);

// Sums of rows of A over the whole K, where finishing needs them. 8-bit types only.
void sum_rows(const Operands& operands, int64_t row, int64_t rows, int64_t depth, int32_t* sums);

// B packed for the tiles: panels of `lanes` columns, K (rounded up to whole groups) x lanes each,
// the last one padded with zeros.
int64_t packed_elements(int64_t k, int64_t n, const KernelSet& set);
// Packs panels [first, last); b of a type that set.copy takes.
void pack_panels(const KernelSet& set, DType type, const void* b, int64_t b_k, int64_t b_col,
                 int64_t k, int64_t n, int64_t first, int64_t last, void* packed);
// The same in the stored type, K x lanes a panel, for kernels that convert what they copy.
void pack_stored(int lanes, int64_t element_bytes, const void* b, int64_t b_k, int64_t b_col,
                 int64_t k, int64_t n, int64_t first, int64_t last, void* packed);
// Sums of the columns of packed panels [first, last), to sums[panel * lanes]. Sums in s32 only.
void sum_panels(const KernelSet& set, const void* packed, int64_t k, int64_t first, int64_t last,
                int32_t* sums);

}  // namespace mikpoly::cpu
