// Runs a plan: hands its tasks out to OpenMP threads.
#pragma once

#include <span>

#include "backends/cpu/formats.h"
#include "core/backend/backend.h"
#include "kernels/cpu/block_kernel.h"

namespace mikpoly::cpu {

// kernels is indexed by Region::kernel. Preconditions as Backend::run.
Status execute(const Formats& formats, std::span<const BlockKernel> kernels, const GemmCall& call,
               const Plan& plan, const CallArgs& args, Workspace workspace);

// False once this process is the child of a fork whose parent had used the OpenMP pool: its threads
// are gone and GNU's OpenMP would wait for them for ever.
bool pool_usable();

}  // namespace mikpoly::cpu
