// The contract between runtime and backends.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "core/backend/profile.h"
#include "mikpoly/packed_matrix.h"
#include "mikpoly/runtime.h"
#include "planner/catalog.h"
#include "planner/plan.h"

namespace mikpoly {

// Element strides of a matrix as it enters the product: element (r, c) at r * row + c * col.
// Canonical: the stride of a dimension of size 1 is what a tight row-major matrix would have.
struct Strides {
  int64_t row = 0;
  int64_t col = 0;

  friend bool operator==(const Strides&, const Strides&) = default;
};

// A validated GEMM in canonical form: m, n > 0; k >= 0; every offset fits int64.
struct GemmCall {
  Shape shape;
  DType a_type = DType::kF32;
  DType b_type = DType::kF32;
  DType c_type = DType::kF32;
  Strides a;
  Strides b;  // unused where b_packed
  Strides c;
  bool b_packed = false;

  friend bool operator==(const GemmCall&, const GemmCall&) = default;
};

// A step of the epilogue as it lies over the canonical C: strides of the operand, 0 where one value
// serves a whole dimension.
struct CallStep {
  EpilogueStep::Kind kind;
  DType type;
  const void* operand;
  Strides at;
  float low;
  float high;
};

// Checked pointers and scalars of one call, of the canonical problem.
struct CallArgs {
  const void* a = nullptr;
  const void* b = nullptr;
  const PackedMatrix* b_packed = nullptr;
  void* c = nullptr;
  double alpha = 1;
  double beta = 0;
  int step_count = 0;
  std::array<CallStep, kMaxEpilogueSteps> steps;  // the first step_count are set
  Quantization quantization;

  // C is no more than alpha * A B + beta * C.
  bool plain() const;
};

struct BackendInfo {
  std::string name;
  int score = 0;           // higher is preferred; 0 cannot run here
  std::string reason;      // why not; or what was found
  std::string device;      // identity that a profile must match
  std::string table_hash;  // hash over the micro-kernel table that a profile must match
};

// The bytes behind PackedMatrix. A backend derives its own from it.
struct PackedMatrix::Impl {
  virtual ~Impl() = default;

  int64_t rows = 0;
  int64_t cols = 0;
  DType dtype = DType::kF32;
  std::string backend;
  std::size_t byte_count = 0;
  std::size_t layout = 0;  // backend's tag for how data is laid out
  std::shared_ptr<void> data;
};

// One device behind one library. Immutable once the runtime has been created, so that every member
// may be called from many threads at once.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual BackendInfo info() const = 0;

  // Most threads (units) a call may use; fixed at creation.
  virtual int units() const = 0;

  // Takes costs from a profile; before any catalog(). Where it fails, nothing has changed and
  // another may follow. (optional) The default keeps the analytic costs.
  virtual Status use_profile(const Profile&) { return {}; }

  // The micro-kernels proven for this problem, or unsupported with the reason. The catalog lives
  // as long as the backend. Called on a plan-cache miss only.
  virtual Result<const Catalog*> catalog(const GemmCall& call) const = 0;

  // Executes a plan made from catalog(call). m, n, k > 0 and alpha != 0 (the runtime serves the
  // rest by scale()). args was checked. workspace holds plan.workspace bytes. Allocates nothing per
  // shape.
  virtual Status run(const GemmCall& call, const Plan& plan, const CallArgs& args,
                     Workspace workspace, Stream stream) const = 0;

  // The same with a product of zeros: C = steps(beta * C); beta == 0 never reads C. (optional) The
  // default runs on the host.
  virtual Status scale(const GemmCall& call, const CallArgs& args, Stream stream) const;

  // Lays B out for the micro-kernels of a_type x b_type; strides canonical.
  virtual Result<PackedMatrix> pack(const void* b, int64_t k, int64_t n, DType a_type, DType b_type,
                                    Strides strides) const = 0;

  // invalid_argument where this backend can't read the packed data in this call. (optional) The
  // default asks for the same backend.
  virtual Status check_packed(const GemmCall& call, const PackedMatrix::Impl& packed) const;

  // Most threads the next call from this thread may use: 1 inside a parallel region. (optional)
  virtual int available_units() const { return units(); }
};

struct BackendOptions {
  int threads = 0;  // RuntimeOptions::threads
};

// The backends built in, best first, "ref" last.
struct BackendEntry {
  const char* name;
  // Cheap: asks the machine, builds nothing.
  BackendInfo (*probe)();
  Result<std::unique_ptr<Backend>> (*create)(const BackendOptions&);
};
const BackendEntry* backend_table(std::size_t* count);

}  // namespace mikpoly
