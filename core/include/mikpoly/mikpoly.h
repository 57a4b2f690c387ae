// Everything public.
#pragma once

#include "mikpoly/dtype.h"          // IWYU pragma: export
#include "mikpoly/epilogue.h"       // IWYU pragma: export
#include "mikpoly/packed_matrix.h"  // IWYU pragma: export
#include "mikpoly/problem.h"        // IWYU pragma: export
#include "mikpoly/runtime.h"        // IWYU pragma: export
#include "mikpoly/status.h"         // IWYU pragma: export
#include "mikpoly/version.h"        // IWYU pragma: export
