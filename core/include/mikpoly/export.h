// Symbol visibility of the shared library.
#pragma once

#if defined(__GNUC__)
#define MIKPOLY_EXPORT __attribute__((visibility("default")))
#else
#define MIKPOLY_EXPORT
#endif
