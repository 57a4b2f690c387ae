#include "kernels/cpu/block_kernel.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "kernels/cpu/parts.h"

namespace mikpoly::cpu {
namespace {

constexpr const char* kBNames[] = {"packed", "direct", "copied", "dot"};
constexpr const char* kANames[] = {"adirect", "acopied"};

// Rows of a block cut into register tiles of nearly equal height.
struct RowTiles {
  int64_t rows;
  int64_t count;
  RowTiles(int64_t extent, int tile_rows) : rows(extent), count(ceil_div(extent, tile_rows)) {}
  int64_t begin(int64_t i) const { return part_begin(rows, count, i); }
};

// What one K step of a block works on.
struct Step {
  int64_t k;
  int64_t depth;
  float beta;
};

class TileBlock {
 public:
  TileBlock(const BlockKernel& kernel, const KernelSet& set, const Operands& operands,
            const Block& block, const Output& out, float* scratch)
      : kernel_(kernel),
        set_(set),
        op_(operands),
        block_(block),
        out_(out),
        panel_cols_(kernel.tile_vectors * set.lanes),
        tiles_(block.rows, kernel.tile_rows),
        a_scratch_(scratch),
        b_scratch_(scratch + (kernel.a == ASource::kCopied ? int64_t{kernel.um} * kernel.uk : 0)) {}

  void run(const Step& step) {
    if (kernel_.a == ASource::kCopied) copy_a(step);
    if (kernel_.b == BSource::kCopied) copy_b(step);
    for (int64_t col = 0; col < block_.cols; col += panel_cols_) run_panel(step, col);
  }

 private:
  void copy_a(const Step& step) {
    for (int64_t i = 0; i < tiles_.count; ++i) {
      const int64_t begin = tiles_.begin(i);
      const int64_t rows = tiles_.begin(i + 1) - begin;
      const float* src = op_.a + (block_.row + begin) * op_.a_row + step.k * op_.a_k;
      set_.copy(src, op_.a_k, op_.a_row, step.depth, rows, rows, a_scratch_ + begin * step.depth,
                rows);
    }
  }

  // Sixteen rows of K at a time through all panels, so that rows of a plain K x N operand are read
  // in long runs.
  void copy_b(const Step& step) {
    const int64_t rows_at_once = op_.b_col == 1 ? 16 : step.depth;
    for (int64_t k = 0; k < step.depth; k += rows_at_once) {
      const int64_t rows = std::min(rows_at_once, step.depth - k);
      for (int64_t col = 0; col < block_.cols; col += panel_cols_) {
        const int64_t cols = std::min<int64_t>(panel_cols_, block_.cols - col);
        const int64_t padded = ceil_div(cols, set_.lanes) * set_.lanes;
        const float* src = op_.b + (step.k + k) * op_.b_k + (block_.col + col) * op_.b_col;
        set_.copy(src, op_.b_k, op_.b_col, rows, cols, padded,
                  b_scratch_ + col * step.depth + k * padded, padded);
      }
    }
  }

  // Points t at the panel and returns how far on the next panel lies, 0 where it is near already.
  int64_t place_b(const Step& step, int64_t col, int vectors, TileArgs* t) const {
    switch (kernel_.b) {
      case BSource::kPacked:
        t->b = op_.b + (block_.col + col) * op_.packed_depth + step.k * set_.lanes;
        t->b_k = set_.lanes;
        t->b_vector = op_.packed_depth * set_.lanes;
        return panel_cols_ * op_.packed_depth;
      case BSource::kCopied:
        t->b = b_scratch_ + col * step.depth;
        t->b_k = int64_t{vectors} * set_.lanes;
        t->b_vector = set_.lanes;
        return 0;  // the copy has just been made
      default:
        t->b = op_.b + step.k * op_.b_k + block_.col + col;
        t->b_k = op_.b_k;
        t->b_vector = set_.lanes;
        return panel_cols_;
    }
  }

  void run_panel(const Step& step, int64_t col) {
    const auto cols = static_cast<int>(std::min<int64_t>(panel_cols_, block_.cols - col));
    const int vectors = (cols + set_.lanes - 1) / set_.lanes;
    TileArgs t{};
    t.tail = cols - (vectors - 1) * set_.lanes;
    t.c_row = out_.row;
    t.depth = step.depth;
    t.alpha = out_.alpha;
    t.beta = step.beta;
    int64_t next_panel = place_b(step, col, vectors, &t);
    const bool last_panel = col + panel_cols_ >= block_.cols;
    const bool last_step = step.k + step.depth == block_.k + block_.depth;
    if (last_panel && !last_step && next_panel != 0) {
      next_panel = step.depth * t.b_k - col / panel_cols_ * next_panel;  // the next step's first
    }
    if (kernel_.a == ASource::kCopied) {
      run_rows_copied(step, col, vectors, next_panel, t);
    } else {
      run_rows_direct(step, col, vectors, next_panel, t);
    }
  }

  void run_rows_copied(const Step& step, int64_t col, int vectors, int64_t next_panel,
                       TileArgs& t) const {
    t.a_row = 1;
    for (int64_t turn = 0; turn < tiles_.count; ++turn) {
      const int64_t i = block_.bottom_up ? tiles_.count - 1 - turn : turn;
      const int64_t begin = tiles_.begin(i);
      const int64_t rows = tiles_.begin(i + 1) - begin;
      t.a = a_scratch_ + begin * step.depth;
      t.a_k = rows;
      t.b_ahead = turn + 1 == tiles_.count ? next_panel : 0;
      t.c = out_.c + begin * out_.row + col;
      set_.tile_m[vectors][rows](t);
    }
  }

  // A narrower last panel leaves registers for taller tiles.
  void run_rows_direct(const Step& step, int64_t col, int vectors, int64_t next_panel,
                       TileArgs& t) const {
    const bool whole = vectors == kernel_.tile_vectors;
    const RowTiles tiles = whole ? tiles_ : RowTiles(block_.rows, set_.max_rows[vectors]);
    const auto& functions = op_.a_k == 1 ? set_.tile_k[vectors] : set_.tile_m[vectors];
    t.a_row = op_.a_row;
    t.a_k = op_.a_k;
    const bool first_use = col == 0;  // later panels find A in the second-level cache
    const float* a = op_.a + block_.row * op_.a_row + step.k * op_.a_k;
    for (int64_t turn = 0; turn < tiles.count; ++turn) {
      const int64_t i = block_.bottom_up ? tiles.count - 1 - turn : turn;
      const int64_t begin = tiles.begin(i);
      const int64_t end = tiles.begin(i + 1);
      t.a = a + begin * op_.a_row;
      t.c = out_.c + begin * out_.row + col;
      const int64_t next = !block_.bottom_up ? end : i > 0 ? tiles.begin(i - 1) : op_.a_rows;
      t.next_a = first_use && block_.row + next < op_.a_rows ? a + next * op_.a_row : nullptr;
      t.b_ahead = turn + 1 == tiles.count ? next_panel : 0;
      functions[end - begin](t);
    }
  }

  const BlockKernel& kernel_;
  const KernelSet& set_;
  const Operands& op_;
  const Block& block_;
  const Output& out_;
  const int panel_cols_;
  const RowTiles tiles_;
  float* const a_scratch_;
  float* const b_scratch_;
};

void run_dot_block(const BlockKernel& kernel, const KernelSet& set, const Operands& op,
                   const Block& block, const Output& out, const Step& step) {
  const RowTiles rows(block.rows, kernel.tile_rows);
  const RowTiles cols(block.cols, kernel.tile_vectors);
  DotArgs t{nullptr, nullptr,    nullptr,   op.a_row, op.b_col,
            out.row, step.depth, out.alpha, step.beta};
  for (int64_t j = 0; j < cols.count; ++j) {
    const int64_t col = cols.begin(j);
    t.b = op.b + (block.col + col) * op.b_col + step.k;
    for (int64_t i = 0; i < rows.count; ++i) {
      const int64_t row = rows.begin(i);
      t.a = op.a + (block.row + row) * op.a_row + step.k;
      t.c = out.c + row * out.row + col;
      set.dot[rows.begin(i + 1) - row][cols.begin(j + 1) - col](t);
    }
  }
}

bool parse_int(std::string_view* text, char end, int* value) {
  const auto [p, ec] = std::from_chars(text->data(), text->data() + text->size(), *value);
  if (ec != std::errc{} || *value <= 0) return false;
  const auto used = static_cast<size_t>(p - text->data());
  if (used >= text->size() || (*text)[used] != end) return false;
  text->remove_prefix(used + 1);
  return true;
}

}  // namespace

int tile_cols(const BlockKernel& kernel, const KernelSet& set) {
  return kernel.b == BSource::kDot ? kernel.tile_vectors : kernel.tile_vectors * set.lanes;
}

std::string name_of(const BlockKernel& kernel, const KernelSet& set) {
  char text[128];
  std::snprintf(text, sizeof text, "gemm_f32_f32_f32_%dx%dx%d_%dx%dx1_%s_%s_%s", kernel.um,
                kernel.un, kernel.uk, kernel.tile_rows, tile_cols(kernel, set), set.isa,
                kBNames[static_cast<int>(kernel.b)], kANames[static_cast<int>(kernel.a)]);
  return text;
}

bool parse_name(std::string_view name, const KernelSet& set, BlockKernel* kernel) {
  constexpr std::string_view kPrefix = "gemm_f32_f32_f32_";
  if (!name.starts_with(kPrefix)) return false;
  std::string_view rest = name.substr(kPrefix.size());
  BlockKernel k;
  int cols = 0;
  if (!parse_int(&rest, 'x', &k.um) || !parse_int(&rest, 'x', &k.un) ||
      !parse_int(&rest, '_', &k.uk) || !parse_int(&rest, 'x', &k.tile_rows) ||
      !parse_int(&rest, 'x', &cols)) {
    return false;
  }
  for (int b = 0; b < 4; ++b) {
    for (int a = 0; a < 2; ++a) {
      k.b = static_cast<BSource>(b);
      k.a = static_cast<ASource>(a);
      k.tile_vectors = k.b == BSource::kDot ? cols : cols / set.lanes;
      const int max_rows = k.b == BSource::kDot ? set.dot_rows
                           : k.tile_vectors >= 1 && k.tile_vectors <= set.max_vectors
                               ? set.max_rows[k.tile_vectors]
                               : 0;
      if (k.tile_rows > max_rows || (k.b == BSource::kDot && cols > set.dot_cols)) continue;
      if (k.um % k.tile_rows != 0 || k.un % cols != 0) continue;
      if (name_of(k, set) == name) {
        *kernel = k;
        return true;
      }
    }
  }
  return false;
}

int64_t scratch_floats(const BlockKernel& kernel, const KernelSet&) {
  int64_t floats = 0;
  if (kernel.a == ASource::kCopied) floats += int64_t{kernel.um} * kernel.uk;
  if (kernel.b == BSource::kCopied) floats += int64_t{kernel.un} * kernel.uk;
  return floats;
}

void run_block(const BlockKernel& kernel, const KernelSet& set, const Operands& operands,
               const Block& block, const Output& out, float* scratch) {
  const int64_t steps = ceil_div(block.depth, kernel.uk);
  TileBlock tiles(kernel, set, operands, block, out, scratch);
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t begin = part_begin(block.depth, steps, i);
    const Step step{block.k + begin, part_begin(block.depth, steps, i + 1) - begin,
                    i == 0 ? out.beta : 1.0F};
    if (kernel.b == BSource::kDot) {
      run_dot_block(kernel, set, operands, block, out, step);
    } else {
      tiles.run(step);
    }
  }
}

int64_t packed_floats(int64_t k, int64_t n, const KernelSet& set) {
  return ceil_div(n, set.lanes) * set.lanes * k;
}

void pack_panels(const KernelSet& set, const float* b, int64_t b_k, int64_t b_col, int64_t k,
                 int64_t n, int64_t first, int64_t last, float* packed) {
  for (int64_t p = first; p < last; ++p) {
    const int64_t col = p * set.lanes;
    set.copy(b + col * b_col, b_k, b_col, k, std::min<int64_t>(set.lanes, n - col), set.lanes,
             packed + col * k, set.lanes);
  }
}

}  // namespace mikpoly::cpu
