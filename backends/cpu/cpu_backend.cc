#include "backends/cpu/cpu_backend.h"

#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "backends/cpu/analytic.h"
#include "backends/cpu/execute.h"
#include "backends/cpu/scratch.h"
#include "backends/cpu/selection.h"
#include "kernels/cpu/kernel_sets.h"
#include "mikpoly/version.h"

namespace mikpoly {
namespace cpu {
namespace {

constexpr int kKept = 40;           // n_mik of the paper
constexpr int kRankingShapes = 48;  // of the analytic ranking, which runs at creation
constexpr uint64_t kRankingSeed = 20240427;
// A weight matrix of up to this many columns is packed column by column for the dot tiles: in
// panels most lanes would be empty.
constexpr int64_t kMaxDotColumns = 8;

enum PackedLayout : std::size_t { kPanels = 1, kColumns = 2 };

// FNV-1a.
uint64_t hash(std::string_view text, uint64_t h = 0xcbf29ce484222325ULL) {
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

bool packed_by_columns(int64_t n) { return n <= kMaxDotColumns; }

std::size_t packed_layout(bool columns, const KernelSet& set) {
  return (columns ? kColumns : kPanels) | static_cast<std::size_t>(set.lanes) << 8;
}

std::string isa_reason(const KernelSet* set) {
  if (set != nullptr) return std::string("OpenMP, ") + set->isa;
  return std::string("MIKPOLY_ISA asks for \"") + std::getenv("MIKPOLY_ISA") +
         "\", which this library or processor does not have";
}

struct ProfiledKind {
  std::vector<BlockKernel> blocks;
  std::vector<MicroKernel> costs;
};

Status read_costs(const std::vector<KernelCost>& costs, const KernelSet& set, ProfiledKind* kind) {
  for (const KernelCost& cost : costs) {
    BlockKernel block;
    if (!parse_name(cost.name, set, &block)) {
      return {StatusCode::kInvalidArgument,
              "profile names the unknown micro-kernel \"" + cost.name + "\""};
    }
    MicroKernel m = describe(block, set);
    m.task_time = cost.task_time;
    m.row_share = cost.row_share;
    m.col_share = cost.col_share;
    m.slice_ns = cost.slice_ns;
    kind->blocks.push_back(block);
    kind->costs.push_back(std::move(m));
  }
  return {};
}

BackendInfo probe() {
  const KernelSet* set = requested_kernel_set();
  BackendInfo info;
  info.name = "cpu";
  info.reason = isa_reason(set);
  if (set == nullptr) return info;
  info.score = 100;
  info.device = device_identity(*set);
  info.table_hash = table_hash(*set);
  return info;
}

Result<std::unique_ptr<Backend>> create(const BackendOptions& options) {
  const KernelSet* set = requested_kernel_set();
  if (set == nullptr) return Status{StatusCode::kUnsupported, isa_reason(set)};
  const int threads = options.threads > 0 ? options.threads : usable_threads();
  return std::unique_ptr<Backend>(std::make_unique<CpuBackend>(*set, threads));
}

}  // namespace

const KernelSet* requested_kernel_set() {
  const char* isa = std::getenv("MIKPOLY_ISA");
  if (isa != nullptr && *isa != '\0') return find_kernel_set(isa);
  return usable_kernel_sets().front();
}

std::string device_identity(const KernelSet& set) {
  const CacheSizes c = cache_sizes();
  char caches[96];
  std::snprintf(caches, sizeof caches, ", L1 %lld KiB, L2 %lld KiB, L3 %lld KiB",
                static_cast<long long>(c.l1 >> 10), static_cast<long long>(c.l2 >> 10),
                static_cast<long long>(c.l3 >> 10));
  return processor_name() + ", " + set.isa + caches;
}

std::string table_hash(const KernelSet& set) {
  uint64_t h = hash("f32");
  const CacheSizes caches;  // the rule that makes candidates, at fixed sizes
  for (int i = 0; i < kKinds; ++i) {
    for (const BlockKernel& k : candidates(Kind::of(i), set, caches)) h = hash(name_of(k, set), h);
  }
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(h));
  return text;
}

CpuBackend::CpuBackend(const KernelSet& set, int threads)
    : set_(set), info_(probe()), threads_(threads), caches_(cache_sizes()) {
  pool_usable();  // registers the fork handler before the first parallel section
  const DeviceModel device = analytic_device(threads, caches_);
  const std::vector<Shape> shapes = synthetic_shapes(kRankingShapes, kRankingSeed);
  for (int i = 0; i < kKinds; ++i) {
    const std::vector<BlockKernel> all = candidates(Kind::of(i), set, caches_);
    std::vector<MicroKernel> costs;
    for (const BlockKernel& k : all) {
      costs.push_back(describe(k, set));
      analytic_cost(k, Kind::of(i), set, &costs.back());
    }
    std::vector<BlockKernel> blocks;
    std::vector<MicroKernel> kept;
    for (const int pick : select_kernels(costs, shapes, device, kKept)) {
      blocks.push_back(all[static_cast<size_t>(pick)]);
      kept.push_back(costs[static_cast<size_t>(pick)]);
    }
    set_kernels(Kind::of(i), std::move(blocks), std::move(kept), device);
  }
}

void CpuBackend::set_kernels(Kind kind, std::vector<BlockKernel> blocks,
                             std::vector<MicroKernel> costs, const DeviceModel& device) {
  Kernels& k = kinds_[static_cast<size_t>(kind.index())];
  k.blocks = std::move(blocks);
  k.catalog = Catalog(std::move(costs), device, OperandBytes{4, 4, 4});
}

// Everything is read before anything is replaced: a profile that fails half-way leaves no mixture.
Status CpuBackend::use_profile(const Profile& profile) {
  DeviceModel device = profile.device_model;
  device.units = threads_;
  std::array<ProfiledKind, kKinds> read;
  for (int i = 0; i < kKinds; ++i) {
    const auto costs = profile.catalogs.find(to_string(Kind::of(i)));
    if (costs == profile.catalogs.end()) continue;
    if (Status s = read_costs(costs->second, set_, &read[static_cast<size_t>(i)]); !s.ok())
      return s;
  }
  for (int i = 0; i < kKinds; ++i) {
    ProfiledKind& kind = read[static_cast<size_t>(i)];
    if (kind.blocks.empty()) continue;
    set_kernels(Kind::of(i), std::move(kind.blocks), std::move(kind.costs), device);
  }
  return {};
}

const CpuBackend::Kernels& CpuBackend::kernels(const GemmCall& call) const {
  Kind kind = kind_of(call);
  if (call.b_packed && packed_by_columns(call.shape.n)) kind.b = BLayout::kColumns;
  return kinds_[static_cast<size_t>(kind.index())];
}

Result<const Catalog*> CpuBackend::catalog(const GemmCall& call) const {
  if (call.a_type != DType::kF32 || call.b_type != DType::kF32 || call.c_type != DType::kF32) {
    return Status{StatusCode::kUnsupported,
                  std::string("the cpu backend serves f32, not ") + to_string(call.a_type) + " x " +
                      to_string(call.b_type) + " -> " + to_string(call.c_type)};
  }
  return &kernels(call).catalog;
}

Status CpuBackend::run(const GemmCall& call, const Plan& plan, const GemmArgs& args,
                       Workspace workspace, Stream) const {
  return execute(set_, kernels(call).blocks, call, plan, args, workspace);
}

Result<PackedMatrix> CpuBackend::pack(const void* b, int64_t k, int64_t n, DType type,
                                      Strides strides) const {
  if (type != DType::kF32) {
    return Status{StatusCode::kUnsupported,
                  std::string("the cpu backend packs f32, not ") + to_string(type)};
  }
  const bool columns = packed_by_columns(n);
  auto impl = std::make_unique<PackedMatrix::Impl>();
  const int64_t floats = columns ? k * n : packed_floats(k, n, set_);
  impl->rows = k;
  impl->cols = n;
  impl->dtype = type;
  impl->backend = "cpu";
  impl->layout = packed_layout(columns, set_);
  impl->byte_count = static_cast<std::size_t>(floats) * sizeof(float);
  impl->data = allocate_aligned(impl->byte_count);
  if (impl->data == nullptr) {
    return Status{StatusCode::kOutOfMemory, "no memory for a packed matrix of " +
                                                std::to_string(impl->byte_count) + " bytes"};
  }
  auto* out = static_cast<float*>(impl->data.get());
  const auto* src = static_cast<const float*>(b);
  if (columns) {
    set_.copy(src, strides.col, strides.row, n, k, k, out, k);
  } else {
    const int64_t panels = (n + set_.lanes - 1) / set_.lanes;
    const int threads = k * n > (1 << 16) ? available_units() : 1;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t p = 0; p < panels; ++p) {
      pack_panels(set_, src, strides.row, strides.col, k, n, p, p + 1, out);
    }
  }
  return PackedMatrix(std::move(impl));
}

Status CpuBackend::check_packed(const PackedMatrix::Impl& packed) const {
  const bool columns = packed_by_columns(packed.cols);
  if (packed.backend == "cpu" && packed.layout == packed_layout(columns, set_)) return {};
  return {StatusCode::kInvalidArgument,
          "b_packed was made by the backend \"" + packed.backend +
              "\" or for another instruction set; this runtime is cpu with " + set_.isa};
}

int CpuBackend::available_units() const {
  return omp_in_parallel() || !pool_usable() ? 1 : threads_;
}

}  // namespace cpu

BackendEntry cpu_backend_entry() { return {"cpu", cpu::probe, cpu::create}; }

}  // namespace mikpoly
