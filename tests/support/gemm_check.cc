#include "tests/support/gemm_check.h"

#include <sstream>

#include "tests/support/tolerance.h"

namespace mikpoly::testing {
namespace {

std::vector<float> values_of(const Operand& x) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(x.rows() * x.cols()));
  for (int64_t i = 0; i < x.rows(); ++i) {
    for (int64_t j = 0; j < x.cols(); ++j) values.push_back(x.at(i, j));
  }
  return values;
}

// One row of the formula, sums in double.
std::vector<double> reference_row(const GemmSpec& s, const GemmData& d, int64_t i) {
  std::vector<double> row(static_cast<std::size_t>(s.n), 0.0);
  if (s.alpha != 0.0F) {
    for (int64_t l = 0; l < s.k; ++l) {
      const double a = d.a.at(i, l);
      for (int64_t j = 0; j < s.n; ++j) row[static_cast<std::size_t>(j)] += a * d.b.at(l, j);
    }
  }
  for (int64_t j = 0; j < s.n; ++j) {
    double& value = row[static_cast<std::size_t>(j)];
    value = s.alpha != 0.0F ? value * s.alpha : 0.0;
    const float before = d.c_before[static_cast<std::size_t>(i * s.n + j)];
    if (s.beta != 0.0F) value += double{s.beta} * before;
  }
  return row;
}

double largest(const std::vector<float>& values) {
  double most = 0;
  for (const float x : values) {
    if (std::isfinite(x)) most = std::max(most, std::abs(double{x}));
  }
  return most;
}

std::string to_string(const MatrixLayout& layout) {
  std::ostringstream out;
  switch (layout.kind) {
    case MatrixLayout::Kind::kRowMajor:
      out << "row-major ld " << layout.ld;
      break;
    case MatrixLayout::Kind::kTransposed:
      out << "transposed ld " << layout.ld;
      break;
    case MatrixLayout::Kind::kStrided:
      out << "strides " << layout.row_stride << "," << layout.col_stride;
      break;
    case MatrixLayout::Kind::kPacked:
      out << "packed";
      break;
  }
  return out.str();
}

}  // namespace

GemmProblem GemmSpec::problem() const {
  GemmProblem p;
  p.m = m;
  p.n = n;
  p.k = k;
  p.a = a;
  p.b = packed ? MatrixLayout::packed() : b;
  p.c = c;
  return p;
}

GemmData::GemmData(const GemmSpec& spec)
    : a(spec.m, spec.k, spec.a, spec.guard),
      b(spec.k, spec.n, spec.b, spec.guard),
      c(spec.m, spec.n, spec.c, spec.guard) {
  a.fill(spec.fill, spec.seed * 3 + 1);
  b.fill(spec.fill, spec.seed * 3 + 2);
  c.fill(spec.beta == 0.0F ? Fill::kNan : spec.fill, spec.seed * 3 + 3);
  c_before = values_of(c);
}

std::string to_string(const GemmSpec& spec) {
  std::ostringstream out;
  out << spec.m << "x" << spec.n << "x" << spec.k << " a " << to_string(spec.a) << ", b "
      << (spec.packed ? "packed from " : "") << to_string(spec.b) << ", c " << to_string(spec.c)
      << ", alpha " << spec.alpha << " beta " << spec.beta << " threads " << spec.threads
      << " seed " << spec.seed;
  return out.str();
}

std::string plan_line(Runtime& runtime, const GemmProblem& problem) {
  const Result<GemmPlan> plan = runtime.plan(problem);
  return runtime.backend_name() + ": " +
         (plan.ok() ? plan.value().to_string() : plan.status().message());
}

Result<std::vector<float>> run_gemm(Runtime& runtime, const GemmSpec& spec, const GemmData& data) {
  PackedMatrix packed;
  GemmArgs args;
  args.a = data.a.data();
  args.b = data.b.data();
  args.c = data.c.data();
  args.alpha = spec.alpha;
  args.beta = spec.beta;
  args.threads = spec.threads;
  if (spec.packed) {
    Result<PackedMatrix> made = runtime.pack(data.b.data(), spec.k, spec.n, DType::kF32, spec.b);
    if (!made.ok()) return made.status();
    packed = std::move(made).value();
    args.b = nullptr;
    args.b_packed = &packed;
  }
  const Status status = runtime.gemm(spec.problem(), args);
  if (!status.ok()) return status;
  return values_of(data.c);
}

::testing::AssertionResult check_gemm(Runtime& runtime, const GemmSpec& spec,
                                      const GemmData& data) {
  const Result<std::vector<float>> got = run_gemm(runtime, spec, data);
  if (!got.ok()) {
    return ::testing::AssertionFailure() << to_string(spec) << ": " << got.status().message();
  }
  const bool exact = spec.fill == Fill::kIntegers;
  const Magnitudes sizes{spec.k,     data.a.largest(), data.b.largest(), largest(data.c_before),
                         spec.alpha, spec.beta};
  for (int64_t i = 0; i < spec.m; ++i) {
    const std::vector<double> want = reference_row(spec, data, i);
    for (int64_t j = 0; j < spec.n; ++j) {
      const double right = want[static_cast<std::size_t>(j)];
      const float value = got.value()[static_cast<std::size_t>(i * spec.n + j)];
      if (close_enough(value, right, f32_tolerance(sizes, right), exact)) continue;
      return ::testing::AssertionFailure()
             << to_string(spec) << ": element (" << i << ", " << j << ") is " << value << ", not "
             << right << " (tolerance " << (exact ? 0 : f32_tolerance(sizes, right)) << "); plan "
             << plan_line(runtime, spec.problem());
    }
  }
  if (!data.c.padding_intact()) {
    return ::testing::AssertionFailure()
           << to_string(spec) << ": wrote between the rows of C; plan "
           << plan_line(runtime, spec.problem());
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult check_gemm(Runtime& runtime, const GemmSpec& spec) {
  const GemmData data(spec);
  return check_gemm(runtime, spec, data);
}

}  // namespace mikpoly::testing
