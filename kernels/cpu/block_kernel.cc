#include "kernels/cpu/block_kernel.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>

#include "kernels/cpu/parts.h"

namespace mikpoly::cpu {
namespace {

constexpr const char* kBNames[] = {"packed", "direct", "copied", "dot"};
constexpr const char* kANames[] = {"adirect", "acopied"};
constexpr const char* kPrefixes[kMaths] = {"gemm_f32_f32_f32_", "gemm_f64_f64_f64_",
                                           "gemm_bf16_bf16_f32_", "gemm_s8_s8_s32_",
                                           "gemm_s16_s16_s32_"};

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
  bool first;
  bool last;
};

int64_t round_up(int64_t x, int64_t unit) { return ceil_div(x, unit) * unit; }

constexpr int64_t kAlignment = 64;

// The parts of a kernel's scratch, in bytes.
struct ScratchParts {
  int64_t b, sums, column_sums, row_sums, end;  // a copied A begins at 0

  ScratchParts(const BlockKernel& kernel, const KernelSet& set, bool finishing) {
    const int64_t depth = round_up(kernel.uk, set.group);
    int64_t next = 0;
    const auto take = [&](bool needed, int64_t bytes) {
      const int64_t begin = next;
      if (needed) next += round_up(bytes, kAlignment);
      return begin;
    };
    take(kernel.a == ASource::kCopied, kernel.um * depth * set.in_bytes);
    b = take(kernel.b == BSource::kCopied, kernel.un * depth * set.in_bytes);
    sums = take(finishing, int64_t{kernel.um} * kernel.un * set.out_bytes);
    const bool integers = finishing && set.sum_columns != nullptr;
    column_sums = take(integers, kernel.un * int64_t{sizeof(int32_t)});
    row_sums = take(integers, kernel.um * int64_t{sizeof(int32_t)});
    end = next;
  }
};

class TileBlock {
 public:
  TileBlock(const BlockKernel& kernel, const KernelSet& set, const Operands& operands,
            const Block& block, const Output& out, void* scratch)
      : kernel_(kernel),
        set_(set),
        op_(operands),
        block_(block),
        out_(out),
        panel_cols_(kernel.tile_vectors * set.lanes),
        tiles_(block.rows, kernel.tile_rows),
        parts_(kernel, set, out.finishing != nullptr),
        scratch_(static_cast<std::byte*>(scratch)),
        one_step_(block.depth <= kernel.uk),
        in_(set.in_bytes) {
    if (out.finishing == nullptr) return;
    finish_.how = out.finishing;
    if (out.finishing->needs_column_sums()) prepare_column_sums();
    if (out.finishing->needs_row_sums()) {
      auto* sums = reinterpret_cast<int32_t*>(scratch_ + parts_.row_sums);
      sum_rows(op_, block.row, block.rows, out.finishing->depth, sums);
      row_sums_ = sums;
    }
  }

  void run(const Step& step) {
    if (kernel_.a == ASource::kCopied) copy_a(step);
    if (kernel_.b == BSource::kCopied) copy_b(step);
    for (int64_t col = 0; col < block_.cols; col += panel_cols_) run_panel(step, col);
  }

 private:
  const std::byte* a_at(int64_t row, int64_t k) const {
    return static_cast<const std::byte*>(op_.a) +
           (row * op_.a_row + k * op_.a_k) * static_cast<int64_t>(size_of(op_.a_type));
  }
  std::byte* a_copy(int64_t row, int64_t depth) const { return scratch_ + row * depth * in_; }
  std::byte* b_copy(int64_t elements) const { return scratch_ + parts_.b + elements * in_; }
  int64_t padded(int64_t depth) const { return round_up(depth, set_.group); }

  void prepare_column_sums() {
    if (op_.packed_sums != nullptr) {
      column_sums_ = op_.packed_sums + block_.col;
      return;
    }
    own_column_sums_ = reinterpret_cast<int32_t*>(scratch_ + parts_.column_sums);
    std::fill_n(own_column_sums_, kernel_.un, 0);
    column_sums_ = own_column_sums_;
  }

  void copy_a(const Step& step) {
    const CopyFn copy = set_.copy[static_cast<size_t>(op_.a_type)];
    for (int64_t i = 0; i < tiles_.count; ++i) {
      const int64_t begin = tiles_.begin(i);
      const int64_t rows = tiles_.begin(i + 1) - begin;
      copy({a_at(block_.row + begin, step.k), op_.a_k, op_.a_row, step.depth, rows, rows,
            a_copy(begin, padded(step.depth)), rows * set_.group});
    }
  }

  // Sixteen rows of K at a time through all panels, so that rows of a plain K x N operand are read
  // in long runs.
  void copy_b(const Step& step) {
    const int64_t rows_at_once =
        op_.b_col == 1 && op_.packed_depth == 0 ? 16 : std::max<int64_t>(step.depth, 1);
    for (int64_t k = 0; k < step.depth; k += rows_at_once) {
      const int64_t rows = std::min(rows_at_once, step.depth - k);
      for (int64_t col = 0; col < block_.cols; col += panel_cols_) {
        const int64_t cols = std::min<int64_t>(panel_cols_, block_.cols - col);
        std::byte* dst = b_copy(col * padded(step.depth) + k * round_up(cols, set_.lanes));
        copy_b_part(step.k + k, rows, col, cols, dst);
      }
    }
    if (own_column_sums_ != nullptr) add_column_sums(step);
  }

  void copy_b_part(int64_t k, int64_t rows, int64_t col, int64_t cols, std::byte* dst) const {
    const CopyFn copy = set_.copy[static_cast<size_t>(op_.b_type)];
    const auto size = static_cast<int64_t>(size_of(op_.b_type));
    const auto* b = static_cast<const std::byte*>(op_.b);
    const int64_t dst_row = round_up(cols, set_.lanes) * set_.group;
    if (op_.packed_depth == 0) {
      const std::byte* src = b + (k * op_.b_k + (block_.col + col) * op_.b_col) * size;
      copy({src, op_.b_k, op_.b_col, rows, cols, round_up(cols, set_.lanes), dst, dst_row});
      return;
    }
    for (int64_t c = 0; c < cols; c += set_.lanes) {
      const std::byte* src =
          b + ((block_.col + col + c) * op_.packed_depth + k * set_.lanes) * size;
      copy({src, set_.lanes, 1, rows, set_.lanes, set_.lanes, dst + c * set_.group * in_, dst_row});
    }
  }

  void add_column_sums(const Step& step) const {
    for (int64_t col = 0; col < block_.cols; col += panel_cols_) {
      const int64_t cols = std::min<int64_t>(panel_cols_, block_.cols - col);
      const auto vectors = static_cast<int>(ceil_div(cols, set_.lanes));
      const int64_t vector = int64_t{set_.lanes} * set_.group;
      set_.sum_columns(b_copy(col * padded(step.depth)), vectors * vector, vector,
                       padded(step.depth) / set_.group, vectors, own_column_sums_ + col);
    }
  }

  // Points t at the panel and returns how far on the next panel lies, 0 where it is near already.
  int64_t place_b(const Step& step, int64_t col, int vectors, TileArgs* t) const {
    const int64_t vector = int64_t{set_.lanes} * set_.group;
    const auto* b = static_cast<const std::byte*>(op_.b);
    switch (kernel_.b) {
      case BSource::kPacked: {
        const int64_t depth = padded(op_.packed_depth);
        t->b = b + ((block_.col + col) * depth + step.k * set_.lanes) * in_;
        t->b_k = vector;
        t->b_vector = depth * set_.lanes;
        return panel_cols_ * depth;
      }
      case BSource::kCopied:
        t->b = b_copy(col * padded(step.depth));
        t->b_k = vectors * vector;
        t->b_vector = vector;
        return 0;  // the copy has just been made
      default:
        t->b = b + (step.k * op_.b_k + block_.col + col) * in_;
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
    t.depth = step.depth;
    t.signed_a = op_.a_type == DType::kS8;
    set_output(step, &t);
    int64_t next_panel = place_b(step, col, vectors, &t);
    const bool last_panel = col + panel_cols_ >= block_.cols;
    if (last_panel && !step.last && next_panel != 0) {
      // the next step's first
      next_panel = step.depth / set_.group * t.b_k - col / panel_cols_ * next_panel;
    }
    if (kernel_.a == ASource::kCopied) {
      run_rows_copied(step, col, cols, vectors, next_panel, t);
    } else {
      run_rows_direct(step, col, cols, vectors, next_panel, t);
    }
  }

  void set_output(const Step& step, TileArgs* t) const {
    if (out_.finishing == nullptr) {
      t->c_row = out_.row;
      t->alpha = out_.alpha;
      t->beta = step.first ? out_.beta : 1.0;
      return;
    }
    // Sums of one step go through one small place, that of a single tile.
    t->c_row = one_step_ ? panel_cols_ : kernel_.un;
    t->alpha = 1;
    t->beta = step.first ? 0.0 : 1.0;
  }

  void* c_at(int64_t row, int64_t col) const {
    if (out_.finishing == nullptr) {
      return static_cast<std::byte*>(out_.c) + (row * out_.row + col) * set_.out_bytes;
    }
    std::byte* sums = scratch_ + parts_.sums;
    return one_step_ ? sums : sums + (row * kernel_.un + col) * set_.out_bytes;
  }

  void run_rows_copied(const Step& step, int64_t col, int cols, int vectors, int64_t next_panel,
                       TileArgs& t) {
    t.a_row = set_.group;
    for (int64_t turn = 0; turn < tiles_.count; ++turn) {
      const int64_t i = block_.bottom_up ? tiles_.count - 1 - turn : turn;
      const int64_t begin = tiles_.begin(i);
      const int64_t rows = tiles_.begin(i + 1) - begin;
      t.a = a_copy(begin, padded(step.depth));
      t.a_k = rows * set_.group;
      t.b_ahead = turn + 1 == tiles_.count ? next_panel : 0;
      t.c = c_at(begin, col);
      set_.tile_m[vectors][rows](t);
      if (step.last) finish_tile(t, begin, rows, col, cols);
    }
  }

  // A narrower last panel leaves registers for taller tiles.
  void run_rows_direct(const Step& step, int64_t col, int cols, int vectors, int64_t next_panel,
                       TileArgs& t) {
    const bool whole = vectors == kernel_.tile_vectors;
    const RowTiles tiles = whole ? tiles_ : RowTiles(block_.rows, set_.max_rows[vectors]);
    const auto& functions = op_.a_k == 1 ? set_.tile_k[vectors] : set_.tile_m[vectors];
    t.a_row = op_.a_row;
    t.a_k = op_.a_k;
    const bool first_use = col == 0;  // later panels find A in the second-level cache
    const int64_t a_row = op_.a_row * in_;
    const std::byte* a = a_at(block_.row, step.k);
    for (int64_t turn = 0; turn < tiles.count; ++turn) {
      const int64_t i = block_.bottom_up ? tiles.count - 1 - turn : turn;
      const int64_t begin = tiles.begin(i);
      const int64_t end = tiles.begin(i + 1);
      t.a = a + begin * a_row;
      t.c = c_at(begin, col);
      const int64_t next = !block_.bottom_up ? end : i > 0 ? tiles.begin(i - 1) : op_.a_rows;
      t.next_a = first_use && block_.row + next < op_.a_rows ? a + next * a_row : nullptr;
      t.b_ahead = turn + 1 == tiles.count ? next_panel : 0;
      functions[end - begin](t);
      if (step.last) finish_tile(t, begin, end - begin, col, cols);
    }
  }

  void finish_tile(const TileArgs& t, int64_t row, int64_t rows, int64_t col, int64_t cols) {
    if (out_.finishing == nullptr) return;
    finish_.sums = t.c;
    finish_.sums_row = t.c_row;
    finish_.row = block_.row + row;
    finish_.col = block_.col + col;
    finish_.rows = rows;
    finish_.cols = cols;
    finish_.column_sums = column_sums_ == nullptr ? nullptr : column_sums_ + col;
    finish_.row_sums = row_sums_ == nullptr ? nullptr : row_sums_ + row;
    set_.finish(finish_);
  }

  const BlockKernel& kernel_;
  const KernelSet& set_;
  const Operands& op_;
  const Block& block_;
  const Output& out_;
  const int panel_cols_;
  const RowTiles tiles_;
  const ScratchParts parts_;
  std::byte* const scratch_;
  const bool one_step_;
  const int64_t in_;
  FinishArgs finish_{};
  const int32_t* column_sums_ = nullptr;
  int32_t* own_column_sums_ = nullptr;
  const int32_t* row_sums_ = nullptr;
};

void run_dot_block(const BlockKernel& kernel, const KernelSet& set, const Operands& op,
                   const Block& block, const Output& out, const Step& step, void* scratch) {
  const RowTiles rows(block.rows, kernel.tile_rows);
  const RowTiles cols(block.cols, kernel.tile_vectors);
  const bool finishing = out.finishing != nullptr;
  auto* const c = finishing
                      ? static_cast<std::byte*>(scratch) + ScratchParts(kernel, set, finishing).sums
                      : static_cast<std::byte*>(out.c);
  const int64_t c_row = finishing ? kernel.un : out.row;
  DotArgs t{};
  t.a_row = op.a_row;
  t.b_col = op.b_col;
  t.c_row = c_row;
  t.depth = step.depth;
  t.alpha = finishing ? 1.0 : out.alpha;
  t.beta = !step.first ? 1.0 : finishing ? 0.0 : out.beta;
  const auto* a = static_cast<const std::byte*>(op.a);
  const auto* b = static_cast<const std::byte*>(op.b);
  for (int64_t j = 0; j < cols.count; ++j) {
    const int64_t col = cols.begin(j);
    const int64_t count = cols.begin(j + 1) - col;
    t.b = b + ((block.col + col) * op.b_col + step.k) * set.in_bytes;
    for (int64_t i = 0; i < rows.count; ++i) {
      const int64_t row = rows.begin(i);
      t.a = a + ((block.row + row) * op.a_row + step.k) * set.in_bytes;
      t.c = c + (row * c_row + col) * set.out_bytes;
      set.dot[rows.begin(i + 1) - row][count](t);
    }
    if (finishing && step.last) {
      set.finish({out.finishing, c + col * set.out_bytes, c_row, block.row, block.col + col,
                  block.rows, count, nullptr, nullptr});
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
  std::snprintf(text, sizeof text, "%s%dx%dx%d_%dx%dx1_%s_%s_%s", kPrefixes[int(set.math)],
                kernel.um, kernel.un, kernel.uk, kernel.tile_rows, tile_cols(kernel, set), set.isa,
                kBNames[static_cast<int>(kernel.b)], kANames[static_cast<int>(kernel.a)]);
  return text;
}

bool parse_name(std::string_view name, const KernelSet& set, BlockKernel* kernel) {
  const std::string_view prefix = kPrefixes[int(set.math)];
  if (!name.starts_with(prefix)) return false;
  std::string_view rest = name.substr(prefix.size());
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

int64_t scratch_bytes(const BlockKernel& kernel, const KernelSet& set, bool finishing) {
  return ScratchParts(kernel, set, finishing).end;
}

void run_block(const BlockKernel& kernel, const KernelSet& set, const Operands& operands,
               const Block& block, const Output& out, void* scratch) {
  const int64_t groups = ceil_div(block.depth, set.group);
  const int64_t steps = ceil_div(block.depth, kernel.uk);
  TileBlock tiles(kernel, set, operands, block, out, scratch);
  for (int64_t i = 0; i < steps; ++i) {
    const int64_t begin = part_begin(groups, steps, i) * set.group;
    const int64_t end = std::min(part_begin(groups, steps, i + 1) * set.group, block.depth);
    const Step step{block.k + begin, end - begin, i == 0, i + 1 == steps};
    if (kernel.b == BSource::kDot) {
      run_dot_block(kernel, set, operands, block, out, step, scratch);
    } else {
      tiles.run(step);
    }
  }
}

void sum_rows(const Operands& op, int64_t row, int64_t rows, int64_t depth, int32_t* sums) {
  const auto add = [&](const auto* a) {
    for (int64_t i = 0; i < rows; ++i) {
      const auto* p = a + (row + i) * op.a_row;
      int32_t sum = 0;
      if (op.a_k == 1) {
        for (int64_t k = 0; k < depth; ++k) sum += p[k];
      } else {
        for (int64_t k = 0; k < depth; ++k) sum += p[k * op.a_k];
      }
      sums[i] = sum;
    }
  };
  if (op.a_type == DType::kS8) {
    add(static_cast<const int8_t*>(op.a));
  } else {
    add(static_cast<const uint8_t*>(op.a));
  }
}

int64_t packed_elements(int64_t k, int64_t n, const KernelSet& set) {
  return round_up(n, set.lanes) * round_up(k, set.group);
}

void pack_panels(const KernelSet& set, DType type, const void* b, int64_t b_k, int64_t b_col,
                 int64_t k, int64_t n, int64_t first, int64_t last, void* packed) {
  const auto size = static_cast<int64_t>(size_of(type));
  for (int64_t p = first; p < last; ++p) {
    const int64_t col = p * set.lanes;
    set.copy[static_cast<size_t>(type)](
        {static_cast<const std::byte*>(b) + col * b_col * size, b_k, b_col, k,
         std::min<int64_t>(set.lanes, n - col), set.lanes,
         static_cast<std::byte*>(packed) + col * round_up(k, set.group) * set.in_bytes,
         int64_t{set.lanes} * set.group});
  }
}

namespace {

template <class T>
void pack_stored_as(int lanes, const T* b, int64_t b_k, int64_t b_col, int64_t k, int64_t n,
                    int64_t first, int64_t last, T* packed) {
  for (int64_t p = first; p < last; ++p) {
    const int64_t col = p * lanes;
    const int64_t cols = std::min<int64_t>(lanes, n - col);
    for (int64_t r = 0; r < k; ++r) {
      T* out = packed + col * k + r * lanes;
      for (int64_t c = 0; c < cols; ++c) out[c] = b[r * b_k + (col + c) * b_col];
      std::fill(out + cols, out + lanes, T{});
    }
  }
}

}  // namespace

void pack_stored(int lanes, int64_t element_bytes, const void* b, int64_t b_k, int64_t b_col,
                 int64_t k, int64_t n, int64_t first, int64_t last, void* packed) {
  if (element_bytes == 1) {
    pack_stored_as(lanes, static_cast<const uint8_t*>(b), b_k, b_col, k, n, first, last,
                   static_cast<uint8_t*>(packed));
  } else {  // the other types that are converted have two
    pack_stored_as(lanes, static_cast<const uint16_t*>(b), b_k, b_col, k, n, first, last,
                   static_cast<uint16_t*>(packed));
  }
}

void sum_panels(const KernelSet& set, const void* packed, int64_t k, int64_t first, int64_t last,
                int32_t* sums) {
  const int64_t depth = round_up(k, set.group);
  for (int64_t p = first; p < last; ++p) {
    std::fill_n(sums + p * set.lanes, set.lanes, 0);
    set.sum_columns(static_cast<const std::byte*>(packed) + p * set.lanes * depth * set.in_bytes,
                    int64_t{set.lanes} * set.group, 0, depth / set.group, 1, sums + p * set.lanes);
  }
}

}  // namespace mikpoly::cpu
