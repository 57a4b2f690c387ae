// The micro-kernels a backend offers for one kind of problem on one device, prepared for search.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "planner/device_model.h"
#include "planner/hot_kernel.h"
#include "planner/micro_kernel.h"

namespace mikpoly {

// Bytes of one element of each operand, for the bandwidth floor. c counts a write; a plan that
// also reads C is charged by PlanOptions::reads_c.
struct OperandBytes {
  int a = 4;
  int b = 4;
  int c = 4;
};

// Immutable after construction; safe to share between threads. KernelId indexes kernels().
class Catalog {
 public:
  Catalog() = default;
  Catalog(std::vector<MicroKernel> kernels, DeviceModel device, OperandBytes bytes);

  std::span<const MicroKernel> kernels() const { return kernels_; }
  const MicroKernel& kernel(KernelId id) const { return kernels_[static_cast<size_t>(id)]; }
  const DeviceModel& device() const { return device_; }
  const OperandBytes& bytes() const { return bytes_; }
  // Returns -1 where no kernel has the name.
  KernelId find(std::string_view name) const;

  // The same kernels as the search reads them. hot() is indexed by KernelId; ranked() holds the
  // ones worth searching, best asymptotic rate first: of two kernels with the same block, one that
  // is nowhere better than the other is left out.
  std::span<const HotKernel> hot() const { return hot_; }
  const HotKernel& hot(KernelId id) const { return hot_[static_cast<size_t>(id)]; }
  std::span<const HotKernel> ranked() const { return ranked_; }
  // ranked() with every partial block charged as a full one, as the paper's cost does.
  std::span<const HotKernel> ranked_padded() const { return ranked_padded_; }

 private:
  std::vector<MicroKernel> kernels_;
  std::vector<HotKernel> hot_;
  std::vector<HotKernel> ranked_;
  std::vector<HotKernel> ranked_padded_;
  DeviceModel device_;
  OperandBytes bytes_;
};

}  // namespace mikpoly
