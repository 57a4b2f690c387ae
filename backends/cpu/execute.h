// Runs a plan: hands its tasks out to OpenMP threads.
#pragma once

#include <span>

#include "core/backend/backend.h"
#include "kernels/cpu/block_kernel.h"

namespace mikpoly::cpu {

// kernels is indexed by Region::kernel. Preconditions as Backend::run.
Status execute(const KernelSet& set, std::span<const BlockKernel> kernels, const GemmCall& call,
               const Plan& plan, const GemmArgs& args, Workspace workspace);

// False once this process is the child of a fork whose parent had used the OpenMP pool: its threads
// are gone and GNU's OpenMP would wait for them for ever.
bool pool_usable();

}  // namespace mikpoly::cpu
