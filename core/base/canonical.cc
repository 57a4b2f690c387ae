#include "core/base/canonical.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

namespace mikpoly {
namespace {

Status invalid(const std::string& message) { return {StatusCode::kInvalidArgument, message}; }

std::string is_but(const std::string& name, int64_t value, const std::string& allowed) {
  return name + " is " + std::to_string(value) + "; it must be " + allowed;
}

Status check_dimension(const char* name, int64_t value) {
  if (value < 0) return invalid(is_but(name, value, "0 or more"));
  return {};
}

// Bytes from the first to behind the last element fit a pointer difference, and so would those of
// all elements side by side: of an operand that broadcasts, too, a tight copy must be thinkable.
bool addressable(int64_t rows, int64_t cols, Strides s, DType type) {
  if (rows == 0 || cols == 0) return true;
  const auto size = static_cast<int64_t>(size_of(type));
  int64_t elements = 0;
  if (__builtin_mul_overflow(rows, cols, &elements) ||
      __builtin_mul_overflow(elements, size, &elements)) {
    return false;
  }
  int64_t down = 0;
  int64_t across = 0;
  int64_t last = 0;
  int64_t bytes = 0;
  return !__builtin_mul_overflow(rows - 1, s.row, &down) &&
         !__builtin_mul_overflow(cols - 1, s.col, &across) &&
         !__builtin_add_overflow(down, across, &last) && last < INT64_MAX &&
         !__builtin_mul_overflow(last + 1, size, &bytes);
}

Result<Strides> strided(const std::string& name, const MatrixLayout& layout, int64_t rows,
                        int64_t cols) {
  if (rows > 1 && layout.row_stride < 0) {
    return invalid(is_but(name + ".row_stride", layout.row_stride, "0 or more"));
  }
  if (cols > 1 && layout.col_stride < 0) {
    return invalid(is_but(name + ".col_stride", layout.col_stride, "0 or more"));
  }
  return Strides{layout.row_stride, layout.col_stride};
}

Result<Strides> dense(const std::string& name, const MatrixLayout& layout, int64_t rows,
                      int64_t cols) {
  const bool transposed = layout.kind == MatrixLayout::Kind::kTransposed;
  const int64_t length = transposed ? rows : cols;  // of a stored row
  const int64_t count = transposed ? cols : rows;
  const int64_t ld = layout.ld == 0 ? std::max<int64_t>(length, 1) : layout.ld;
  // The BLAS rule: at least max(1, length), whether or not a second row exists.
  if (layout.ld < 0 || (ld < length && count > 0)) {
    return invalid(
        is_but(name + ".ld", layout.ld,
               "0 (tight) or at least " + std::to_string(length) + ", the length of a stored row"));
  }
  return transposed ? Strides{1, ld} : Strides{ld, 1};
}

// Two elements of C share a place: where di * row == dj * col for some |di| < rows and |dj| < cols,
// not both 0. The smallest such pair follows from the greatest common divisor.
bool overlaps(Strides s, int64_t rows, int64_t cols) {
  if (rows == 0 || cols == 0) return false;
  if (rows < 2 || cols < 2) return (rows >= 2 && s.row == 0) || (cols >= 2 && s.col == 0);
  if (s.row == 0 || s.col == 0) return true;
  const int64_t divisor = std::gcd(s.row, s.col);
  return s.col / divisor < rows && s.row / divisor < cols;
}

void normalise(Strides* s, int64_t rows, int64_t cols) {
  if (cols <= 1) s->col = 1;
  if (rows <= 1) s->row = cols > 1 ? cols : 1;
}

void swap_operands(CanonicalGemm* g) {
  GemmCall& call = g->call;
  const auto transpose = [](Strides s) { return Strides{s.col, s.row}; };
  std::swap(call.shape.m, call.shape.n);
  std::swap(call.a_type, call.b_type);
  const Strides a = call.a;
  call.a = transpose(call.b);
  call.b = transpose(a);
  call.c = transpose(call.c);
  // A size-1 dimension has changed sides with the rest.
  normalise(&call.a, call.shape.m, call.shape.k);
  normalise(&call.b, call.shape.k, call.shape.n);
  normalise(&call.c, call.shape.m, call.shape.n);
  g->swapped = true;
}

bool is_8bit(DType type) { return type == DType::kS8 || type == DType::kU8; }
bool is_short_float(DType type) {
  return type == DType::kF32 || type == DType::kBF16 || type == DType::kF16;
}

// The list at GemmProblem.
bool served(DType a, DType b, DType c) {
  if (a == DType::kF64) return b == DType::kF64 && c == DType::kF64;
  if (is_short_float(a)) {
    return (is_short_float(b) || is_8bit(b)) && (is_short_float(c) || is_8bit(c));
  }
  return is_8bit(a) && b == DType::kS8 && c != DType::kF64;
}

Status check_types(const GemmProblem& p) {
  const std::pair<const char*, DType> types[] = {
      {"a_type", p.a_type}, {"b_type", p.b_type}, {"c_type", p.c_type}};
  for (const auto& [name, type] : types) {
    if (size_of(type) == 0) {
      return invalid(std::string(name) + " is " + std::to_string(static_cast<int>(type)) +
                     "; it must be one of DType's values");
    }
  }
  if (served(p.a_type, p.b_type, p.c_type)) return {};
  return {StatusCode::kUnsupported, std::string("types ") + to_string(p.a_type) + " x " +
                                        to_string(p.b_type) + " -> " + to_string(p.c_type) +
                                        " are not served; see GemmProblem for those that are"};
}

}  // namespace

Result<Strides> canonical_strides(const char* name, const MatrixLayout& layout, int64_t rows,
                                  int64_t cols, DType type) {
  using Kind = MatrixLayout::Kind;
  if (layout.kind != Kind::kRowMajor && layout.kind != Kind::kTransposed &&
      layout.kind != Kind::kStrided) {
    return invalid(std::string(name) + ".kind is " + std::to_string(static_cast<int>(layout.kind)) +
                   "; it must be kRowMajor, kTransposed or kStrided (only B may be kPacked)");
  }
  Result<Strides> s = layout.kind == Kind::kStrided ? strided(name, layout, rows, cols)
                                                    : dense(name, layout, rows, cols);
  if (!s.ok()) return s;
  normalise(&s.value(), rows, cols);
  if (!addressable(rows, cols, s.value(), type)) {
    return invalid(std::string(name) + " of " + std::to_string(rows) + " x " +
                   std::to_string(cols) + " " + to_string(type) + " with strides " +
                   std::to_string(s.value().row) + " and " + std::to_string(s.value().col) +
                   " exceeds the address space");
  }
  return s;
}

Result<CanonicalGemm> canonicalize(const GemmProblem& p) {
  if (Status s = check_dimension("m", p.m); !s.ok()) return s;
  if (Status s = check_dimension("n", p.n); !s.ok()) return s;
  if (Status s = check_dimension("k", p.k); !s.ok()) return s;
  if (Status s = check_types(p); !s.ok()) return s;
  CanonicalGemm g;
  g.call.shape = {p.m, p.n, p.k};
  g.call.a_type = p.a_type;
  g.call.b_type = p.b_type;
  g.call.c_type = p.c_type;
  g.call.b_packed = p.b.kind == MatrixLayout::Kind::kPacked;
  const Result<Strides> a = canonical_strides("a", p.a, p.m, p.k, p.a_type);
  if (!a.ok()) return a.status();
  const MatrixLayout b_layout = g.call.b_packed ? MatrixLayout::row_major() : p.b;
  const Result<Strides> b = canonical_strides("b", b_layout, p.k, p.n, p.b_type);
  if (!b.ok()) return b.status();
  const Result<Strides> c = canonical_strides("c", p.c, p.m, p.n, p.c_type);
  if (!c.ok()) return c.status();
  if (overlaps(c.value(), p.m, p.n)) {
    return invalid("c.row_stride is " + std::to_string(c.value().row) + " and c.col_stride is " +
                   std::to_string(c.value().col) + "; elements of C must not share a place");
  }
  g.call.a = a.value();
  g.call.b = g.call.b_packed ? Strides{} : b.value();
  g.call.c = c.value();
  // Operands of two types keep their places: not every pair is served the other way round.
  if (g.call.c.col != 1 && g.call.c.row == 1 && !g.call.b_packed && p.a_type == p.b_type) {
    swap_operands(&g);
  }
  return g;
}

}  // namespace mikpoly
