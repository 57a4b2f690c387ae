#include "bench/measure/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include "bench/suites/rng.h"

namespace mikpoly::bench {
namespace {

constexpr float kCanary = 12345.0F;
constexpr int64_t kMaxSize = 300;
constexpr int64_t kMaxLongSize = 5000;  // one dimension at a time
constexpr int64_t kMaxPadding = 9;

// A matrix in one of the layouts, with canaries between its elements.
struct Matrix {
  int64_t rows = 0;
  int64_t cols = 0;
  MatrixLayout layout;
  int64_t row_step = 0;
  int64_t col_step = 0;
  std::vector<float> data;

  std::size_t at(int64_t r, int64_t c) const {
    return static_cast<std::size_t>(r * row_step + c * col_step);
  }
};

struct VerifyCase {
  GemmProblem problem;
  Matrix a, b, c;
  float alpha = 1;
  float beta = 0;
  int threads = 0;
  bool packed = false;
  bool integers = false;
};

int64_t pick_size(Rng* rng) {
  switch (rng->between(0, 9)) {
    case 0:
      return rng->between(0, 2);
    case 1:
      return rng->between(1, 17);
    case 2:  // around powers of two
      return std::max<int64_t>(0, (int64_t{1} << rng->between(0, 8)) + rng->between(-1, 1));
    default:
      return rng->log_between(1, kMaxSize);
  }
}

void pick_sizes(Rng* rng, GemmProblem* problem) {
  int64_t* sizes[] = {&problem->m, &problem->n, &problem->k};
  for (int64_t* size : sizes) *size = pick_size(rng);
  if (rng->between(0, 4) != 0) return;
  // One long dimension, the others kept so small that a case stays quick.
  const auto which = static_cast<std::size_t>(rng->between(0, 2));
  for (int64_t* size : sizes) *size = std::min<int64_t>(*size, 70);
  *sizes[which] = rng->log_between(kMaxSize, kMaxLongSize);
}

Matrix make_matrix(int64_t rows, int64_t cols, bool any_stride, Rng* rng) {
  Matrix matrix;
  matrix.rows = rows;
  matrix.cols = cols;
  const int64_t padding = rng->between(0, 2) == 0 ? rng->between(1, kMaxPadding) : 0;
  const int64_t kind = rng->between(0, any_stride ? 5 : 4);
  if (kind <= 2) {
    matrix.row_step = cols + padding;
    matrix.col_step = 1;
    matrix.layout = MatrixLayout::row_major(padding == 0 ? 0 : cols + padding);
  } else if (kind <= 4) {
    matrix.row_step = 1;
    matrix.col_step = rows + padding;
    matrix.layout = MatrixLayout::transposed(padding == 0 ? 0 : rows + padding);
  } else {
    matrix.col_step = rng->between(2, 4);
    matrix.row_step = std::max<int64_t>(cols, 1) * matrix.col_step + padding;
    matrix.layout = MatrixLayout::strided(matrix.row_step, matrix.col_step);
  }
  const int64_t last =
      rows > 0 && cols > 0 ? (rows - 1) * matrix.row_step + (cols - 1) * matrix.col_step + 1 : 0;
  matrix.data.assign(static_cast<std::size_t>(last), kCanary);
  return matrix;
}

void fill(Matrix* matrix, bool integers, Rng* rng) {
  for (int64_t r = 0; r < matrix->rows; ++r) {
    for (int64_t c = 0; c < matrix->cols; ++c) {
      matrix->data[matrix->at(r, c)] = integers ? static_cast<float>(rng->between(-4, 4))
                                                : static_cast<float>(2 * rng->uniform() - 1);
    }
  }
}

VerifyCase make_case(int64_t index, uint64_t seed, int max_threads) {
  Rng rng(seed * 0x9E3779B97F4A7C15ULL + static_cast<uint64_t>(index));
  VerifyCase v;
  pick_sizes(&rng, &v.problem);
  const GemmProblem& p = v.problem;
  v.integers = rng.between(0, 1) == 0;
  v.packed = rng.between(0, 2) == 0;
  v.a = make_matrix(p.m, p.k, true, &rng);
  v.b = make_matrix(p.k, p.n, true, &rng);
  v.c = make_matrix(p.m, p.n, true, &rng);
  constexpr float kAlphas[] = {1, 1, 1, 0.5F, -2, 0};
  constexpr float kBetas[] = {0, 0, 0, 1, 0.5F, -1};
  v.alpha = kAlphas[rng.between(0, 5)];
  v.beta = kBetas[rng.between(0, 5)];
  v.threads = static_cast<int>(rng.between(0, max_threads));
  fill(&v.a, v.integers, &rng);
  fill(&v.b, v.integers, &rng);
  fill(&v.c, v.integers, &rng);
  v.problem.a = v.a.layout;
  v.problem.b = v.packed ? MatrixLayout::packed() : v.b.layout;
  v.problem.c = v.c.layout;
  return v;
}

const char* kind_name(const Matrix& matrix) {
  switch (matrix.layout.kind) {
    case MatrixLayout::Kind::kRowMajor:
      return "row-major";
    case MatrixLayout::Kind::kTransposed:
      return "transposed";
    default:
      return "strided";
  }
}

std::string describe(const VerifyCase& v) {
  std::ostringstream text;
  const auto add = [&](const char* name, const Matrix& matrix) {
    text << " " << name << "=" << kind_name(matrix) << "(" << matrix.row_step << ","
         << matrix.col_step << ")";
  };
  text << "m=" << v.problem.m << " n=" << v.problem.n << " k=" << v.problem.k;
  add("a", v.a);
  add("b", v.b);
  add("c", v.c);
  text << (v.packed ? " packed" : "") << " alpha=" << v.alpha << " beta=" << v.beta
       << " threads=" << v.threads << (v.integers ? " integers" : "");
  return text.str();
}

double wanted(const VerifyCase& v, const std::vector<float>& before, int64_t r, int64_t c) {
  double sum = 0;
  if (v.alpha != 0) {
    for (int64_t i = 0; i < v.problem.k; ++i) {
      sum +=
          static_cast<double>(v.a.data[v.a.at(r, i)]) * static_cast<double>(v.b.data[v.b.at(i, c)]);
    }
  }
  sum *= static_cast<double>(v.alpha);
  if (v.beta != 0) sum += static_cast<double>(v.beta) * static_cast<double>(before[v.c.at(r, c)]);
  return sum;
}

double tolerance(const VerifyCase& v) {
  if (v.integers) return 0;  // below 2^24: exact
  constexpr double kEps = std::numeric_limits<float>::epsilon();
  return kEps *
         (2 * std::fabs(static_cast<double>(v.alpha)) * static_cast<double>(v.problem.k + 1) +
          2 * std::fabs(static_cast<double>(v.beta)) + 1);
}

// Empty, or the first bad element.
std::string compare(const VerifyCase& v, const std::vector<float>& before) {
  std::vector<bool> written(before.size(), false);
  const double allowed = tolerance(v);
  for (int64_t r = 0; r < v.problem.m; ++r) {
    for (int64_t c = 0; c < v.problem.n; ++c) {
      const std::size_t at = v.c.at(r, c);
      written[at] = true;
      const double want = wanted(v, before, r, c);
      const double got = static_cast<double>(v.c.data[at]);
      if (std::fabs(got - want) <= allowed) continue;
      std::ostringstream text;
      text.precision(9);
      text << "element (" << r << ", " << c << ") is " << got << ", not " << want << " (tolerance "
           << allowed << ")";
      return text.str();
    }
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!written[i] && v.c.data[i] != kCanary) {
      return "wrote between the rows of C, " + std::to_string(i) + " floats from its start";
    }
  }
  return {};
}

Status compute(Runtime* runtime, VerifyCase* v) {
  GemmArgs args;
  args.a = v->a.data.data();
  args.b = v->b.data.data();
  args.c = v->c.data.data();
  args.alpha = v->alpha;
  args.beta = v->beta;
  args.threads = v->threads;
  PackedMatrix packed;
  if (v->packed) {
    auto weights = runtime->pack(args.b, v->problem.k, v->problem.n, DType::kF32, v->b.layout);
    if (!weights.ok()) return weights.status();
    packed = std::move(weights).value();
    args.b = nullptr;
    args.b_packed = &packed;
  }
  return runtime->gemm(v->problem, args);
}

}  // namespace

std::string verify_case(Runtime* runtime, int64_t index, uint64_t seed) {
  VerifyCase v = make_case(index, seed, runtime->threads());
  const std::vector<float> before = v.c.data;
  if (v.beta == 0) {
    for (int64_t r = 0; r < v.problem.m; ++r) {
      for (int64_t c = 0; c < v.problem.n; ++c) {
        v.c.data[v.c.at(r, c)] = std::numeric_limits<float>::quiet_NaN();
      }
    }
  }
  const Status status = compute(runtime, &v);
  const std::string fault = status.ok()
                                ? compare(v, before)
                                : std::string(to_string(status.code())) + ": " + status.message();
  if (fault.empty()) return {};
  const auto plan = runtime->plan(v.problem);
  return "case " + std::to_string(index) + ": " + describe(v) + "\n  " + fault +
         "\n  plan: " + (plan.ok() ? plan.value().to_string() : plan.status().message());
}

}  // namespace mikpoly::bench
