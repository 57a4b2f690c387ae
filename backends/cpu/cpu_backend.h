// The CPU backend: OpenMP threads over block kernels of the best instruction set.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "backends/cpu/candidates.h"
#include "core/backend/backend.h"

namespace mikpoly {

// "cpu". The environment variable MIKPOLY_ISA (avx512, avx2, generic), read at probe and creation,
// restricts the instruction set.
BackendEntry cpu_backend_entry();

namespace cpu {

class CpuBackend : public Backend {
 public:
  // set: of f32. Its instruction set serves the other types too.
  CpuBackend(const KernelSet& set, int threads);

  BackendInfo info() const override { return info_; }
  int units() const override { return threads_; }
  Status use_profile(const Profile& profile) override;
  Result<const Catalog*> catalog(const GemmCall& call) const override;
  Status run(const GemmCall& call, const Plan& plan, const CallArgs& args, Workspace workspace,
             Stream stream) const override;
  Result<PackedMatrix> pack(const void* b, int64_t k, int64_t n, DType a_type, DType b_type,
                            Strides strides) const override;
  Status check_packed(const GemmCall& call, const PackedMatrix::Impl& packed) const override;
  int available_units() const override;

  const KernelSet& kernel_set() const { return set_; }
  const CacheSizes& caches() const { return caches_; }

  // Replaces the kernels of a kind of problem; before the backend is shared. For profiles and the
  // tuner.
  void set_kernels(DType a, DType b, Kind kind, std::vector<BlockKernel> blocks,
                   std::vector<MicroKernel> costs, const DeviceModel& device);

 private:
  // A catalog together with the programs behind it, indexed alike.
  struct Kernels {
    std::vector<BlockKernel> blocks;
    Catalog catalog;
  };
  // What serves one pair of types. Kinds without a profile get theirs when they are first asked
  // for.
  struct Family {
    Formats formats;
    std::array<std::atomic<const Kernels*>, kKinds> kinds{};
  };

  Family& family(DType a, DType b) const;
  const Kernels& kernels(const GemmCall& call) const;
  const Kernels& make_kernels(Family* family, Kind kind) const;

  const KernelSet& set_;
  const BackendInfo info_;
  int threads_;
  CacheSizes caches_;
  DeviceModel device_;
  mutable std::array<Family, kDTypes * kDTypes> families_;
  mutable std::mutex making_;
  mutable std::vector<std::unique_ptr<const Kernels>> made_;
};

// The set MIKPOLY_ISA asks for, else the best; null where the variable names an unusable one.
const KernelSet* requested_kernel_set();

// Device identity of a profile, and the hash of what could make one stale.
std::string device_identity(const KernelSet& set);
std::string table_hash(const KernelSet& set);

}  // namespace cpu
}  // namespace mikpoly
