// The CPU backend: OpenMP threads over block kernels of the best instruction set.
#pragma once

#include <array>
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
  CpuBackend(const KernelSet& set, int threads);

  BackendInfo info() const override { return info_; }
  int units() const override { return threads_; }
  Status use_profile(const Profile& profile) override;
  Result<const Catalog*> catalog(const GemmCall& call) const override;
  Status run(const GemmCall& call, const Plan& plan, const GemmArgs& args, Workspace workspace,
             Stream stream) const override;
  Result<PackedMatrix> pack(const void* b, int64_t k, int64_t n, DType type,
                            Strides strides) const override;
  Status check_packed(const PackedMatrix::Impl& packed) const override;
  int available_units() const override;

  const KernelSet& kernel_set() const { return set_; }
  const CacheSizes& caches() const { return caches_; }

  // A catalog for a kind of problem together with the programs behind it, indexed alike.
  struct Kernels {
    std::vector<BlockKernel> blocks;
    Catalog catalog;
  };
  // Replaces a kind's kernels; before the backend is shared. For profiles and the tuner.
  void set_kernels(Kind kind, std::vector<BlockKernel> blocks, std::vector<MicroKernel> costs,
                   const DeviceModel& device);

 private:
  const Kernels& kernels(const GemmCall& call) const;

  const KernelSet& set_;
  const BackendInfo info_;
  int threads_;
  CacheSizes caches_;
  std::array<Kernels, kKinds> kinds_;
};

// The set MIKPOLY_ISA asks for, else the best; null where the variable names an unusable one.
const KernelSet* requested_kernel_set();

// Device identity of a profile, and the hash of what could make one stale.
std::string device_identity(const KernelSet& set);
std::string table_hash(const KernelSet& set);

}  // namespace cpu
}  // namespace mikpoly
