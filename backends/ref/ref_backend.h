// The reference backend: scalar loops that accept everything the API does, in double.
#pragma once

#include "core/backend/backend.h"

namespace mikpoly {

BackendEntry ref_backend_entry();

}  // namespace mikpoly
