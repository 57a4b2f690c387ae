// Library version.
#pragma once

#include "mikpoly/export.h"

#define MIKPOLY_VERSION_MAJOR 0
#define MIKPOLY_VERSION_MINOR 1
#define MIKPOLY_VERSION_PATCH 0

namespace mikpoly {
// "0.1.0"
MIKPOLY_EXPORT const char* version();
}  // namespace mikpoly
