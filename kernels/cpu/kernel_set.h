// The register-level kernels of one instruction set, behind function pointers.
#pragma once

#include <cstdint>

#include "mikpoly/dtype.h"

namespace mikpoly::cpu {

// What the tiles of a set multiply and where they add up: operands as they lie in registers' lanes.
enum class Math {
  kF32,   // f32 x f32, in f32
  kF64,   // f64 x f64, in f64
  kBF16,  // pairs of bf16 along K, in f32
  kS8,    // quads along K, u8 (or s8 shifted by 128) x s8, in s32
  kS16,   // pairs of s16 along K, in s32: what 8-bit operands are widened to
};
inline constexpr int kMaths = 5;

// One register tile: C (rows x cols) = alpha * A B + beta * C over depth steps of K. rows is fixed
// by the function, cols = (vectors - 1) * lanes + tail with 1 <= tail <= lanes. With groups of g
// elements along K (KernelSet::group): the g elements of A's row i from k = g s on at
// a[i * a_row + s * a_k], those of vector v of B, lane by lane, at b[s * b_k + v * b_vector]; C:
// element (i, j) at c[i * c_row + j]. Strides count elements. Nothing outside the named elements is
// read or written; beta == 0 never reads C. depth >= 1; where it is no multiple of g, B holds zeros
// there and A need not exist. No alignment is asked for. Sums in s32 take alpha 1 and beta 0 or 1.
struct TileArgs {
  const void* a;
  const void* b;
  void* c;
  int64_t a_row;
  int64_t a_k;
  int64_t b_k;
  int64_t b_vector;
  int64_t c_row;
  int64_t depth;
  int tail;
  double alpha;
  double beta;
  // A hint: rows of A (as many as the tile's, a_row apart) that the caller will read next; they are
  // fetched into the second-level cache meanwhile. Only where A lies along K; null for none.
  const void* next_a;
  // A hint: elements from B's vectors to those the caller will read next; 0 for none.
  int64_t b_ahead;
  // kS8 only: A is signed and 128 is added to each element; C then holds 128 times the sums of B's
  // columns too much.
  bool signed_a;
};
using TileFn = void (*)(const TileArgs&);

// One dot tile, for operands that both run along K: A (i, k) at a[i * a_row + k], B (k, j) at
// b[j * b_col + k]; C (i, j) at c[i * c_row + j]. Lanes split K and are summed at the end.
struct DotArgs {
  const void* a;
  const void* b;
  void* c;
  int64_t a_row;
  int64_t b_col;
  int64_t c_row;
  int64_t depth;
  double alpha;
  double beta;
};
using DotFn = void (*)(const DotArgs&);

// Brings a block of an operand into the tiles' order and type: K steps r (rows) and columns c, the
// source's element (r, c) at src[r * row + c * col], to dst[r / g * dst_row + c * g + r % g] with g
// the set's group; columns up to padded_cols and rows up to a whole group are filled with zeros.
// One of row and col should be 1 for speed.
struct CopyArgs {
  const void* src;
  int64_t row;
  int64_t col;
  int64_t rows;
  int64_t cols;
  int64_t padded_cols;
  void* dst;
  int64_t dst_row;
};
using CopyFn = void (*)(const CopyArgs&);

inline constexpr int kMaxTileRows = 14;
inline constexpr int kMaxTileVectors = 8;
inline constexpr int kMaxDotRows = 4;
inline constexpr int kMaxDotCols = 6;

struct FinishArgs;  // finish.h
using FinishFn = void (*)(const FinishArgs&);

struct KernelSet {
  const char* isa;
  Math math;
  int lanes;
  int group;      // elements of K that a lane multiplies in one step
  int in_bytes;   // of an operand's element as tiles read it
  int out_bytes;  // of a sum
  int max_vectors;
  int max_rows[kMaxTileVectors + 1];  // by vectors; 0 where there is no such tile
  int dot_rows;                       // 0: no dot tiles
  int dot_cols;
  // [vectors][rows], one for A that runs along K (a_k == group) and one for A that runs along its
  // rows (a_row == group: transposed, or copied tile by tile).
  TileFn tile_k[kMaxTileVectors + 1][kMaxTileRows + 1];
  TileFn tile_m[kMaxTileVectors + 1][kMaxTileRows + 1];
  DotFn dot[kMaxDotRows + 1][kMaxDotCols + 1];
  // By DType of the source; null where the set can't take the type. One for the set's own type
  // always exists.
  CopyFn copy[kDTypes];
  // Turns sums into the output: see finish.h.
  FinishFn finish;
  // Sums in s32 only: adds the sums of B's columns, over `groups` of K, to sums[vectors * lanes]. B
  // as in TileArgs, whole vectors.
  void (*sum_columns)(const void* b, int64_t b_k, int64_t b_vector, int64_t groups, int vectors,
                      int32_t* sums);
};

}  // namespace mikpoly::cpu
