// The entry point: a runtime owns a backend, its profile and a plan cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mikpoly/epilogue.h"
#include "mikpoly/export.h"
#include "mikpoly/packed_matrix.h"
#include "mikpoly/problem.h"
#include "mikpoly/status.h"

namespace mikpoly {

struct RuntimeOptions {
  // "auto" takes the usable backend with the highest score; or a name ("cpu", "onednn", "ref"). The
  // environment variable MIKPOLY_BACKEND, read in create(), replaces "auto".
  std::string backend = "auto";
  // CPU threads a call may use; 0 takes what the process may run on (affinity, cgroup quota,
  // OMP_NUM_THREADS).
  int threads = 0;
  // Profile file; create() fails where it can't be used. Empty: MIKPOLY_PROFILE, the user cache
  // directory, the shipped profiles, the analytic model, in that order; of those, a file that can't
  // be used is skipped with one warning.
  std::string profile_path;
  // Upper limit of the plan cache's memory; 0 disables the cache, more than 64 MiB is not used.
  std::size_t cache_bytes = std::size_t{1} << 20;
};

// Where GPU work is queued; ignored by host backends.
struct Stream {
  void* handle = nullptr;
};

// Scratch memory of a run: at least GemmPlan::workspace_bytes(), 64-byte aligned.
struct Workspace {
  void* data = nullptr;
  std::size_t bytes = 0;
};

// Pointers and scalars of one call. a, b, c point to element (0, 0) of each matrix.
struct GemmArgs {
  const void* a = nullptr;
  const void* b = nullptr;                 // not used where the problem's b is packed
  const PackedMatrix* b_packed = nullptr;  // used only there
  void* c = nullptr;
  double alpha = 1;
  double beta = 0;
  int threads = 0;  // at most this many for this call; 0 means the runtime's
  std::span<const EpilogueStep> epilogue;
  const Quantization* quantization = nullptr;  // null: 8-bit values stand for themselves
};

// How a problem will be computed. Cheap to copy, valid while its runtime lives.
class MIKPOLY_EXPORT GemmPlan {
 public:
  const GemmProblem& problem() const;
  std::string to_string() const;  // one line: pattern, regions, micro-kernels, predicted time
  std::string explain() const;    // several lines: regions drawn, candidates with their costs
  std::string to_svg() const;     // the regions as an SVG document
  double predicted_ns() const;
  std::size_t workspace_bytes() const;

  struct Impl;
  explicit GemmPlan(std::shared_ptr<const Impl> impl);
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

struct CacheStats {
  uint64_t hits = 0;
  uint64_t misses = 0;
  std::size_t bytes = 0;  // memory the cache holds; never above RuntimeOptions::cache_bytes
};

struct BackendStatus {
  std::string name;
  int score = 0;       // 0: can't run here
  std::string reason;  // why not, or what was found (instruction set, library version)
};

// Safe to call from many threads at once. A call made inside an OpenMP parallel region runs on the
// calling thread alone.
class MIKPOLY_EXPORT Runtime {
 public:
  // invalid_argument: unknown backend, negative threads, unusable profile_path. unsupported: the
  // backend can't run here.
  static Result<Runtime> create(const RuntimeOptions& options = {});
  // All backends built into the library, best first.
  static std::vector<BackendStatus> backends();

  Runtime(Runtime&&) noexcept;
  Runtime& operator=(Runtime&&) noexcept;
  ~Runtime();

  // Plans (or finds the plan in the cache) and runs. invalid_argument: a dimension that is negative
  // or whose matrix exceeds the address space, a leading dimension too small, a null pointer to a
  // non-empty operand that would be read or written, a packed matrix of other size, type or
  // backend, an epilogue or quantization that does not fit the problem. unsupported: types that the
  // backend does not serve. On an error C is unchanged.
  Status gemm(const GemmProblem& problem, const GemmArgs& args, Stream stream = {});

  // The same in two steps, for callers that keep plans themselves.
  Result<GemmPlan> plan(const GemmProblem& problem) const;
  Status run(const GemmPlan& plan, const GemmArgs& args, Workspace workspace = {},
             Stream stream = {});

  // Lays B (k x n) out for the micro-kernels. b points to element (0, 0). a_type: of the A that it
  // will be multiplied with; B's own type (s8 for u8) unless given.
  Result<PackedMatrix> pack(const void* b, int64_t k, int64_t n, DType type,
                            const MatrixLayout& layout = {},
                            std::optional<DType> a_type = {}) const;

  CacheStats cache_stats() const;
  std::string backend_name() const;
  std::string device() const;   // device identity, e.g. CPU model and instruction set
  std::string profile() const;  // path of the profile in use, or "analytic"
  int threads() const;

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  explicit Runtime(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace mikpoly
