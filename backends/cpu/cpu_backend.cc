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
#include "kernels/cpu/parts.h"
#include "mikpoly/version.h"

namespace mikpoly {
namespace cpu {
namespace {

constexpr int kKept = 40;           // n_mik of the paper
constexpr int kRankingShapes = 48;  // of the analytic ranking, which runs at creation
constexpr uint64_t kRankingSeed = 20240427;

// FNV-1a.
uint64_t hash(std::string_view text, uint64_t h = 0xcbf29ce484222325ULL) {
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

// Everything that data must agree in to be read by a set's kernels.
std::size_t layout_tag(PackedLayout layout, const KernelSet& set) {
  return static_cast<std::size_t>(layout) | static_cast<std::size_t>(set.math) << 8 |
         static_cast<std::size_t>(set.lanes) << 16;
}

std::string isa_reason(const KernelSet* set) {
  if (set != nullptr) return std::string("OpenMP, ") + set->isa;
  return std::string("MIKPOLY_ISA asks for \"") + std::getenv("MIKPOLY_ISA") +
         "\", which this library or processor does not have";
}

struct ProfiledKind {
  DType a;
  DType b;
  Kind kind;
  std::vector<BlockKernel> blocks;
  std::vector<MicroKernel> costs;
};

Status read_costs(const std::vector<KernelCost>& costs, const Formats& formats,
                  ProfiledKind* kind) {
  for (const KernelCost& cost : costs) {
    BlockKernel block;
    if (!parse_name(cost.name, *formats.set, &block)) {
      return {StatusCode::kInvalidArgument,
              "profile names the unknown micro-kernel \"" + cost.name + "\""};
    }
    MicroKernel m = describe(block, kind->kind, formats);
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
  return usable_f32_sets().front();
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
  uint64_t h = hash("f32");  // the types that are tuned
  const CacheSizes caches;   // the rule that makes candidates, at fixed sizes
  for (int i = 0; i < kKinds; ++i) {
    for (const BlockKernel& k : candidates(Kind::of(i), set, caches)) h = hash(name_of(k, set), h);
  }
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(h));
  return text;
}

CpuBackend::CpuBackend(const KernelSet& set, int threads)
    : set_(set),
      info_(probe()),
      threads_(threads),
      caches_(cache_sizes()),
      device_(analytic_device(threads, caches_)) {
  pool_usable();  // registers the fork handler before the first parallel section
  for (int a = 0; a < kDTypes; ++a) {
    for (int b = 0; b < kDTypes; ++b) {
      const auto a_type = static_cast<DType>(a);
      const auto b_type = static_cast<DType>(b);
      family(a_type, b_type).formats = formats_for(set, a_type, b_type);
    }
  }
}

CpuBackend::Family& CpuBackend::family(DType a, DType b) const {
  return families_[static_cast<size_t>(a) * kDTypes + static_cast<size_t>(b)];
}

void CpuBackend::set_kernels(DType a, DType b, Kind kind, std::vector<BlockKernel> blocks,
                             std::vector<MicroKernel> costs, const DeviceModel& device) {
  Family& f = family(a, b);
  const OperandBytes bytes{f.formats.a_bytes, f.formats.b_bytes, f.formats.set->out_bytes};
  made_.push_back(std::make_unique<Kernels>(
      Kernels{std::move(blocks), Catalog(std::move(costs), device, bytes)}));
  f.kinds[static_cast<size_t>(kind.index())].store(made_.back().get());
}

// Everything is read before anything is replaced: a profile that fails half-way leaves no mixture.
Status CpuBackend::use_profile(const Profile& profile) {
  std::vector<ProfiledKind> read;
  for (int i = 0; i < kDTypes * kDTypes * kKinds; ++i) {
    ProfiledKind kind{static_cast<DType>(i / kKinds / kDTypes),
                      static_cast<DType>(i / kKinds % kDTypes),
                      Kind::of(i % kKinds),
                      {},
                      {}};
    const auto costs = profile.catalogs.find(catalog_name(kind.a, kind.b, kind.kind));
    if (costs == profile.catalogs.end() || costs->second.empty()) continue;
    const Formats& formats = family(kind.a, kind.b).formats;
    if (Status s = read_costs(costs->second, formats, &kind); !s.ok()) return s;
    read.push_back(std::move(kind));
  }
  device_ = profile.device_model;
  device_.units = threads_;
  for (ProfiledKind& kind : read) {
    set_kernels(kind.a, kind.b, kind.kind, std::move(kind.blocks), std::move(kind.costs), device_);
  }
  return {};
}

// The analytic ranking takes about a millisecond, once a kind.
const CpuBackend::Kernels& CpuBackend::make_kernels(Family* family, Kind kind) const {
  const std::scoped_lock lock(making_);
  auto& slot = family->kinds[static_cast<size_t>(kind.index())];
  if (const Kernels* made = slot.load(); made != nullptr) return *made;
  const Formats& f = family->formats;
  const std::vector<BlockKernel> all = candidates(kind, f, caches_);
  std::vector<MicroKernel> costs;
  for (const BlockKernel& k : all) {
    costs.push_back(describe(k, kind, f));
    analytic_cost(k, kind, f, &costs.back());
  }
  auto kernels = std::make_unique<Kernels>();
  std::vector<MicroKernel> kept;
  const std::vector<Shape> shapes = synthetic_shapes(kRankingShapes, kRankingSeed);
  for (const int pick : select_kernels(costs, shapes, device_, kKept)) {
    kernels->blocks.push_back(all[static_cast<size_t>(pick)]);
    kept.push_back(costs[static_cast<size_t>(pick)]);
  }
  kernels->catalog =
      Catalog(std::move(kept), device_, OperandBytes{f.a_bytes, f.b_bytes, f.set->out_bytes});
  made_.push_back(std::move(kernels));
  slot.store(made_.back().get(), std::memory_order_release);
  return *made_.back();
}

const CpuBackend::Kernels& CpuBackend::kernels(const GemmCall& call) const {
  Family& f = family(call.a_type, call.b_type);
  Kind kind = kind_of(call);
  if (call.b_packed && packed_layout(call.shape.n, f.formats) == PackedLayout::kColumns) {
    kind.b = BLayout::kColumns;
  }
  const Kernels* made = f.kinds[static_cast<size_t>(kind.index())].load(std::memory_order_acquire);
  return made != nullptr ? *made : make_kernels(&f, kind);
}

Result<const Catalog*> CpuBackend::catalog(const GemmCall& call) const {
  return &kernels(call).catalog;
}

Status CpuBackend::run(const GemmCall& call, const Plan& plan, const CallArgs& args,
                       Workspace workspace, Stream) const {
  return execute(family(call.a_type, call.b_type).formats, kernels(call).blocks, call, plan, args,
                 workspace);
}

Result<PackedMatrix> CpuBackend::pack(const void* b, int64_t k, int64_t n, DType a_type,
                                      DType b_type, Strides strides) const {
  const Formats& formats = family(a_type, b_type).formats;
  const KernelSet& set = *formats.set;
  const PackedLayout layout = packed_layout(n, formats);
  auto impl = std::make_unique<PackedMatrix::Impl>();
  impl->rows = k;
  impl->cols = n;
  impl->dtype = b_type;
  impl->backend = "cpu";
  impl->layout = layout_tag(layout, set);
  const auto b_bytes = static_cast<int64_t>(size_of(b_type));
  const int64_t padded = ceil_div(n, set.lanes) * set.lanes;
  const int64_t panel_bytes = packed_elements(k, n, set) * set.in_bytes;
  const bool sums = layout == PackedLayout::kPanels && set.sum_columns != nullptr;
  const int64_t bytes = layout == PackedLayout::kColumns ? k * n * b_bytes
                        : layout == PackedLayout::kStored
                            ? k * padded * b_bytes
                            : panel_bytes + (sums ? padded * int64_t{sizeof(int32_t)} : 0);
  impl->byte_count = static_cast<std::size_t>(bytes);
  impl->data = allocate_aligned(impl->byte_count);
  if (impl->data == nullptr) {
    return Status{StatusCode::kOutOfMemory, "no memory for a packed matrix of " +
                                                std::to_string(impl->byte_count) + " bytes"};
  }
  auto* out = static_cast<std::byte*>(impl->data.get());
  if (layout == PackedLayout::kColumns) {
    set.copy[static_cast<size_t>(b_type)]({b, strides.col, strides.row, n, k, k, out, k});
    return PackedMatrix(std::move(impl));
  }
  const int64_t panels = ceil_div(n, set.lanes);
  const int threads = k * n > (1 << 16) ? available_units() : 1;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (int64_t p = 0; p < panels; ++p) {
    if (layout == PackedLayout::kStored) {
      pack_stored(set.lanes, b_bytes, b, strides.row, strides.col, k, n, p, p + 1, out);
      continue;
    }
    pack_panels(set, b_type, b, strides.row, strides.col, k, n, p, p + 1, out);
    if (sums) sum_panels(set, out, k, p, p + 1, reinterpret_cast<int32_t*>(out + panel_bytes));
  }
  return PackedMatrix(std::move(impl));
}

Status CpuBackend::check_packed(const GemmCall& call, const PackedMatrix::Impl& packed) const {
  const Formats& formats = family(call.a_type, call.b_type).formats;
  const PackedLayout layout = packed_layout(packed.cols, formats);
  if (packed.backend == "cpu" && packed.layout == layout_tag(layout, *formats.set)) return {};
  if (packed.backend == "cpu" && packed.dtype == call.b_type) {
    return {StatusCode::kInvalidArgument,
            std::string("b_packed was made for another type of A, or another instruction set; it "
                        "must be packed for A of ") +
                to_string(call.a_type) + " on " + set_.isa};
  }
  return {StatusCode::kInvalidArgument, "b_packed was made by the backend \"" + packed.backend +
                                            "\"; this runtime is cpu with " + set_.isa};
}

int CpuBackend::available_units() const {
  return omp_in_parallel() || !pool_usable() ? 1 : threads_;
}

}  // namespace cpu

BackendEntry cpu_backend_entry() { return {"cpu", cpu::probe, cpu::create}; }

}  // namespace mikpoly
