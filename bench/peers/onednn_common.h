// What the three practices of oneDNN share. Works with oneDNN 2.x and 3.x.
#pragma once

#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/peers/peer.h"

namespace mikpoly::bench {

// One engine and stream for the process, as an application has.
struct OnednnContext {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

// Sets oneDNN's thread count and describes the library; packs and pool included.
PeerInfo onednn_info(const char* name, int threads);

// Runs `body`, turning oneDNN's exceptions into a status.
template <typename Body>
Status onednn_try(Body&& body) {
  try {
    body();
    return {};
  } catch (const dnnl::error& error) {
    const auto code = error.status == dnnl_unimplemented   ? StatusCode::kUnsupported
                      : error.status == dnnl_out_of_memory ? StatusCode::kOutOfMemory
                                                           : StatusCode::kDeviceError;
    return Status(code, std::string("oneDNN: ") + error.what());
  } catch (const std::bad_alloc&) {
    return Status(StatusCode::kOutOfMemory, "oneDNN: out of memory");
  }
}

// A tight f32 matrix; `transposed` stores it as its transpose. Sizes may be DNNL_RUNTIME_DIM_VAL.
dnnl::memory::desc onednn_matrix(int64_t rows, int64_t cols, bool transposed);

dnnl::matmul::primitive_desc onednn_matmul(const OnednnContext& context,
                                           const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                                           const dnnl::memory::desc& c);

// Executes a matmul on the operand copies. The derived session makes primitive_ in create() or
// before, and calls bind() for each copy.
class OnednnSession : public Session {
 public:
  OnednnSession(OnednnContext* context, const Case& problem, std::span<const Operands> copies);
  Status run(std::size_t copy) override;
  std::string choice() const override { return implementation_; }

 protected:
  // The next copy's memory objects; `weights` holds B as the primitive wants it.
  void bind(const Operands& operands, dnnl::memory weights);
  dnnl::memory::desc a_desc() const;
  dnnl::memory::desc b_desc() const;
  dnnl::memory::desc c_desc() const;

  OnednnContext* context_;
  Case problem_;
  std::vector<Operands> copies_;
  dnnl::matmul primitive_;
  std::string implementation_;

 private:
  // The C interface's argument list is built once: the C++ call builds one from a hash map each
  // time.
  struct Bound {
    dnnl::memory a, b, c;
    dnnl_exec_arg_t args[3];
  };
  std::vector<Bound> bound_;
};

}  // namespace mikpoly::bench
