// For faults of this library only: input of users gets a Status.
#pragma once

#include <cstdio>
#include <cstdlib>

// Prints the condition, the place and what went wrong, then aborts. Always on.
#define MIKPOLY_CHECK(condition, what)                                                   \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "mikpoly: %s:%d: %s does not hold: %s\n", __FILE__, __LINE__, \
                   #condition, what);                                                    \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)

// Leaves the function with the status of an expression unless it is ok.
#define MIKPOLY_TRY(expression)                      \
  do {                                               \
    ::mikpoly::Status mikpoly_status = (expression); \
    if (!mikpoly_status.ok()) return mikpoly_status; \
  } while (false)
