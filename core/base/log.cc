#include "core/base/log.h"

#include <cstdio>
#include <cstdlib>

namespace mikpoly {

int verbosity() {
  static const int level = [] {
    const char* text = std::getenv("MIKPOLY_VERBOSE");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  return level;
}

void log_line(int level, const std::string& text) {
  if (verbosity() >= level) std::fprintf(stderr, "mikpoly: %s\n", text.c_str());
}

void warn(const std::string& text) { std::fprintf(stderr, "mikpoly: warning: %s\n", text.c_str()); }

}  // namespace mikpoly
