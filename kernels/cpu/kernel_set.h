// The register-level kernels of one instruction set, behind function pointers.
#pragma once

#include <cstdint>

namespace mikpoly::cpu {

// One register tile: C (rows x cols) = alpha * A B + beta * C over depth steps of K. rows is fixed
// by the function, cols = (vectors - 1) * lanes + tail with 1 <= tail <= lanes. A: element (i, k)
// at a[i * a_row + k * a_k]; B: vector v of step k at b[k * b_k + v * b_vector]; C: element (i, j)
// at c[i * c_row + j]. Strides count elements. Nothing outside the named elements is read or
// written; beta == 0 never reads C. depth >= 1; no alignment is asked for.
struct TileArgs {
  const float* a;
  const float* b;
  float* c;
  int64_t a_row;
  int64_t a_k;
  int64_t b_k;
  int64_t b_vector;
  int64_t c_row;
  int64_t depth;
  int tail;
  float alpha;
  float beta;
  // A hint: rows of A (as many as the tile's, a_row apart) that the caller will read next; they are
  // fetched into the second-level cache meanwhile. Only where a_k == 1; null for none.
  const float* next_a;
  // A hint: elements from B's vectors to those the caller will read next; 0 for none.
  int64_t b_ahead;
};
using TileFn = void (*)(const TileArgs&);

// One dot tile, for operands that both run along K: A (i, k) at a[i * a_row + k], B (k, j) at
// b[j * b_col + k]; C (i, j) at c[i * c_row + j]. Lanes split K and are summed at the end.
struct DotArgs {
  const float* a;
  const float* b;
  float* c;
  int64_t a_row;
  int64_t b_col;
  int64_t c_row;
  int64_t depth;
  float alpha;
  float beta;
};
using DotFn = void (*)(const DotArgs&);

// Copies rows x cols, element (r, c) at src[r * row + c * col], to dst[r * dst_row + c]; columns up
// to padded_cols are filled with zeros. One of row and col should be 1 for speed.
using CopyFn = void (*)(const float* src, int64_t row, int64_t col, int64_t rows, int64_t cols,
                        int64_t padded_cols, float* dst, int64_t dst_row);

inline constexpr int kMaxTileRows = 14;
inline constexpr int kMaxTileVectors = 8;
inline constexpr int kMaxDotRows = 4;
inline constexpr int kMaxDotCols = 6;

struct KernelSet {
  const char* isa;
  int lanes;
  int max_vectors;
  int max_rows[kMaxTileVectors + 1];  // by vectors; 0 where there is no such tile
  int dot_rows;
  int dot_cols;
  // [vectors][rows], one for A that runs along K (a_k == 1) and one for A that runs along its rows
  // (a_row == 1: transposed, or packed by tile).
  TileFn tile_k[kMaxTileVectors + 1][kMaxTileRows + 1];
  TileFn tile_m[kMaxTileVectors + 1][kMaxTileRows + 1];
  DotFn dot[kMaxDotRows + 1][kMaxDotCols + 1];
  CopyFn copy;
};

// Null where the set was not built for this processor family.
const KernelSet* avx512_kernels();
const KernelSet* avx2_kernels();
const KernelSet* generic_kernels();

}  // namespace mikpoly::cpu
