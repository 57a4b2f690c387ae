# Writes OUTPUT with the commit of SOURCE_DIR, and touches it only where that has changed.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C "${SOURCE_DIR}" describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT
"// Made by the build.
#include \"bench/cli/common.h\"

namespace mikpoly::bench {
std::string git_commit() { return \"@commit@\"; }
}  // namespace mikpoly::bench
")
