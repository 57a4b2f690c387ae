#include "bench/peers/onednn_common.h"

#include <omp.h>

namespace mikpoly::bench {
namespace {

const char* pool_name() {
#if DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_OMP
  return kOpenMpPool;
#elif DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_SEQ
  return "none";
#else
  return "onednn";
#endif
}

std::string isa_name() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::sse41:
      return "sse4.1";
    case dnnl::cpu_isa::avx:
      return "avx";
    case dnnl::cpu_isa::avx2:
      return "avx2";
    case dnnl::cpu_isa::avx512_core:
      return "avx512_core";
    case dnnl::cpu_isa::avx512_core_vnni:
      return "avx512_core_vnni";
    case dnnl::cpu_isa::avx512_core_bf16:
      return "avx512_core_bf16";
    default:
      return "other";
  }
}

}  // namespace

PeerInfo onednn_info(const char* name, int threads) {
  omp_set_num_threads(threads);
  const dnnl_version_t* version = dnnl_version();
  PeerInfo info;
  info.name = name;
  info.library = "onednn";
  info.version = std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
                 std::to_string(version->patch);
  info.note = "isa " + isa_name();
  info.pool = pool_name();
  if (info.pool != kOpenMpPool) {
    info.warning = "oneDNN was not built with OpenMP: its thread count can't be set to ours";
  }
  return info;
}

dnnl::memory::desc onednn_matrix(int64_t rows, int64_t cols, bool transposed) {
  const dnnl::memory::dims strides =
      transposed ? dnnl::memory::dims{1, rows} : dnnl::memory::dims{cols, 1};
  return dnnl::memory::desc({rows, cols}, dnnl::memory::data_type::f32, strides);
}

dnnl::matmul::primitive_desc onednn_matmul(const OnednnContext& context,
                                           const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                                           const dnnl::memory::desc& c) {
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::matmul::primitive_desc(context.engine, a, b, c);
#else
  return dnnl::matmul::primitive_desc(dnnl::matmul::desc(a, b, c), context.engine);
#endif
}

OnednnSession::OnednnSession(OnednnContext* context, const Case& problem,
                             std::span<const Operands> copies)
    : context_(context), problem_(problem), copies_(copies.begin(), copies.end()) {}

dnnl::memory::desc OnednnSession::a_desc() const {
  return onednn_matrix(problem_.m, problem_.k, a_transposed(problem_));
}
dnnl::memory::desc OnednnSession::b_desc() const {
  return onednn_matrix(problem_.k, problem_.n, b_transposed(problem_));
}
dnnl::memory::desc OnednnSession::c_desc() const {
  return onednn_matrix(problem_.m, problem_.n, false);
}

void OnednnSession::bind(const Operands& operands, dnnl::memory weights) {
  // oneDNN takes inputs as void*; it only reads them.
  Bound bound{dnnl::memory(a_desc(), context_->engine, const_cast<float*>(operands.a)),
              std::move(weights),
              dnnl::memory(c_desc(), context_->engine, operands.c),
              {}};
  bound.args[0] = {DNNL_ARG_SRC, bound.a.get()};
  bound.args[1] = {DNNL_ARG_WEIGHTS, bound.b.get()};
  bound.args[2] = {DNNL_ARG_DST, bound.c.get()};
  bound_.push_back(std::move(bound));
}

Status OnednnSession::run(std::size_t copy) {
  dnnl_status_t status =
      dnnl_primitive_execute(primitive_.get(), context_->stream.get(), 3, bound_[copy].args);
  if (status == dnnl_success) status = dnnl_stream_wait(context_->stream.get());
  if (status == dnnl_success) return {};
  return Status(StatusCode::kDeviceError,
                "oneDNN: execution failed with status " + std::to_string(static_cast<int>(status)));
}

}  // namespace mikpoly::bench
