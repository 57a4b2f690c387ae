// oneDNN's matmul as a backend: one micro-kernel that takes the whole problem.
//
// Works with oneDNN 2.6 and later. Its primitives are made for one shape, so a shape not among the
// last MatmulCache::kCapacity costs a primitive creation. Beyond that, oneDNN keeps its own cache
// for the process (dnnl::set_primitive_cache_capacity), which this backend leaves as it is.
#pragma once

#include "core/backend/backend.h"

namespace mikpoly {

BackendEntry onednn_backend_entry();

}  // namespace mikpoly
