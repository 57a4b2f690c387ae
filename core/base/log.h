// What the library prints: nothing, unless MIKPOLY_VERBOSE asks for it; warnings are the exception.
#pragma once

#include <string>

namespace mikpoly {

// MIKPOLY_VERBOSE as a number, read once: 0 silent, 1 what was chosen and why, 2 each new plan.
int verbosity();

// One line on stderr where verbosity() >= level.
void log_line(int level, const std::string& text);

// One line on stderr, always.
void warn(const std::string& text);

}  // namespace mikpoly
