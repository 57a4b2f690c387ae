// OpenBLAS, loaded at run time so that the program neither needs it to build nor to start.
#include <dlfcn.h>

#include <cstdlib>
#include <limits>
#include <string_view>

#include "bench/measure/machine.h"
#include "bench/peers/peer.h"

namespace mikpoly::bench {
namespace {

// The CBLAS interface with 32-bit sizes, as distributions build libopenblas.so.0.
constexpr int kRowMajor = 101;
constexpr int kNoTrans = 111;
constexpr int kTrans = 112;
using SgemmFunction = void (*)(int order, int trans_a, int trans_b, int m, int n, int k,
                               float alpha, const float* a, int lda, const float* b, int ldb,
                               float beta, float* c, int ldc);

struct OpenBlas {
  SgemmFunction sgemm = nullptr;
  char* (*config)() = nullptr;
  char* (*core_name)() = nullptr;
  int (*parallel)() = nullptr;
  void (*set_threads)(int) = nullptr;
  int (*threads)() = nullptr;
};

template <typename Function>
bool load(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

Result<OpenBlas> load_openblas() {
  // Never closed: its threads may outlive any scope.
  void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Status(StatusCode::kUnsupported,
                  "libopenblas.so.0 can't be loaded (install libopenblas0)");
  }
  OpenBlas blas;
  const bool complete = load(library, "cblas_sgemm", &blas.sgemm) &&
                        load(library, "openblas_get_config", &blas.config) &&
                        load(library, "openblas_get_corename", &blas.core_name) &&
                        load(library, "openblas_get_parallel", &blas.parallel) &&
                        load(library, "openblas_set_num_threads", &blas.set_threads) &&
                        load(library, "openblas_get_num_threads", &blas.threads);
  if (!complete) return Status(StatusCode::kUnsupported, "libopenblas.so.0 lacks functions");
  return blas;
}

// "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..." gives "0.3.21".
std::string version_of(std::string_view config) {
  const std::size_t first = config.find(' ');
  if (first == std::string_view::npos) return std::string(config);
  config.remove_prefix(first + 1);
  return std::string(config.substr(0, config.find(' ')));
}

// Empty where the core's kernels use the widest vectors of this processor.
std::string core_warning(std::string_view core) {
  const auto one_of = [&](std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
      if (core == name) return true;
    }
    return false;
  };
  const bool wide = one_of({"SkylakeX", "Cooperlake", "SapphireRapids"});
  const bool middle = wide || one_of({"Haswell", "Zen", "Excavator"});
  const MachineInfo& machine = this_machine();
  const bool hobbled = (machine.avx512 && !wide) || (machine.avx2 && !middle);
  if (!hobbled) return {};
  return "OpenBLAS runs its " + std::string(core) +
         " kernels, which leave vector units of this processor unused; "
         "OPENBLAS_CORETYPE=" +
         (machine.avx512 ? "SkylakeX" : "Haswell") + " may be faster";
}

PeerInfo describe(const OpenBlas& blas, int threads) {
  blas.set_threads(threads);
  constexpr const char* kBuilds[] = {"serial", "pthread", "openmp"};
  const int parallel = blas.parallel();
  PeerInfo info;
  info.name = "openblas";
  info.library = "openblas";
  info.version = version_of(blas.config());
  info.note = std::string("core ") + blas.core_name() + ", " +
              (parallel >= 0 && parallel <= 2 ? kBuilds[parallel] : "unknown") + " build";
  const char* forced = std::getenv("OPENBLAS_CORETYPE");
  if (forced != nullptr) info.note += std::string(", OPENBLAS_CORETYPE=") + forced;
  info.warning = core_warning(blas.core_name());
  if (blas.threads() != threads) {
    info.warning += (info.warning.empty() ? "" : "; ") + std::string("it runs ") +
                    std::to_string(blas.threads()) + " threads, not " + std::to_string(threads);
  }
  info.pool = parallel == 2 ? kOpenMpPool : parallel == 1 ? "openblas" : "none";
  return info;
}

class OpenBlasSession : public Session {
 public:
  OpenBlasSession(const OpenBlas& blas, const Case& problem, std::span<const Operands> copies)
      : sgemm_(blas.sgemm),
        m_(static_cast<int>(problem.m)),
        n_(static_cast<int>(problem.n)),
        k_(static_cast<int>(problem.k)),
        trans_a_(a_transposed(problem)),
        trans_b_(b_transposed(problem)),
        copies_(copies.begin(), copies.end()) {}

  Status run(std::size_t copy) override {
    const Operands& operands = copies_[copy];
    sgemm_(kRowMajor, trans_a_ ? kTrans : kNoTrans, trans_b_ ? kTrans : kNoTrans, m_, n_, k_, 1.0F,
           operands.a, trans_a_ ? m_ : k_, operands.b, trans_b_ ? k_ : n_, 0.0F, operands.c, n_);
    return {};
  }

 private:
  SgemmFunction sgemm_;
  int m_, n_, k_;
  bool trans_a_, trans_b_;
  std::vector<Operands> copies_;
};

class OpenBlasPeer : public Peer {
 public:
  OpenBlasPeer(const OpenBlas& blas, int threads) : blas_(blas), info_(describe(blas, threads)) {}
  const PeerInfo& info() const override { return info_; }

  Result<std::unique_ptr<Session>> session(const Case& problem,
                                           std::span<const Operands> copies) override {
    constexpr int64_t kMax = std::numeric_limits<int>::max();
    if (problem.m > kMax || problem.n > kMax || problem.k > kMax) {
      return Status(StatusCode::kUnsupported, "OpenBLAS takes 32-bit sizes");
    }
    return std::unique_ptr<Session>(std::make_unique<OpenBlasSession>(blas_, problem, copies));
  }

 private:
  OpenBlas blas_;
  PeerInfo info_;
};

}  // namespace

Result<std::unique_ptr<Peer>> make_openblas(int threads) {
  Result<OpenBlas> blas = load_openblas();
  if (!blas.ok()) return blas.status();
  return std::unique_ptr<Peer>(std::make_unique<OpenBlasPeer>(blas.value(), threads));
}

}  // namespace mikpoly::bench
