#include "backends/onednn/matmul.h"

namespace mikpoly::onednn {
namespace {

using dnnl::memory;

#if DNNL_VERSION_MAJOR >= 3
dnnl::matmul::primitive_desc describe(const memory::desc& a, const memory::desc& b,
                                      const memory::desc& c, const dnnl::primitive_attr& attr) {
  return {cpu_engine(), a, b, c, attr};
}

void append_scale(dnnl::post_ops* ops, float alpha) {
  ops->append_eltwise(dnnl::algorithm::eltwise_linear, alpha, 0.0F);
}
#else
dnnl::matmul::primitive_desc describe(const memory::desc& a, const memory::desc& b,
                                      const memory::desc& c, const dnnl::primitive_attr& attr) {
  return {dnnl::matmul::desc(a, b, c), attr, cpu_engine()};
}

void append_scale(dnnl::post_ops* ops, float alpha) {
  ops->append_eltwise(1.0F, dnnl::algorithm::eltwise_linear, alpha, 0.0F);
}
#endif

// C = alpha * AB + beta * C as post-operations; f32 operands take no scales in every version. The
// scratchpad is the caller's, because oneDNN's own belongs to the thread that made the primitive.
dnnl::primitive_attr attributes(float alpha, float beta) {
  dnnl::post_ops ops;
  if (alpha != 1.0F) append_scale(&ops, alpha);
  if (beta != 0.0F) ops.append_sum(beta);
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

}  // namespace

const dnnl::engine& cpu_engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

memory::desc matrix_desc(int64_t rows, int64_t cols, Strides strides) {
  return {{rows, cols}, memory::data_type::f32, memory::dims{strides.row, strides.col}};
}

Matmul make_matmul(const MatmulKey& key) {
  const Shape& s = key.shape;
  Matmul made;
  made.a = matrix_desc(s.m, s.k, key.a);
  made.b = key.b;
  made.c = matrix_desc(s.m, s.n, key.c);
  const auto chosen = describe(made.a, made.b, made.c, attributes(key.alpha, key.beta));
  made.scratchpad = chosen.scratchpad_desc();
  made.primitive = dnnl::matmul(chosen);
  return made;
}

memory::desc preferred_weights(int64_t m, int64_t k, int64_t n) {
  const memory::desc any({k, n}, memory::data_type::f32, memory::format_tag::any);
  const auto chosen =
      describe(matrix_desc(m, k, {k, 1}), any, matrix_desc(m, n, {n, 1}), attributes(1.0F, 0.0F));
  return chosen.weights_desc();
}

}  // namespace mikpoly::onednn
