#include "mikpoly/version.h"

#define MIKPOLY_TEXT2(x) #x
#define MIKPOLY_TEXT(x) MIKPOLY_TEXT2(x)

namespace mikpoly {

const char* version() {
  return MIKPOLY_TEXT(MIKPOLY_VERSION_MAJOR) "." MIKPOLY_TEXT(
      MIKPOLY_VERSION_MINOR) "." MIKPOLY_TEXT(MIKPOLY_VERSION_PATCH);
}

}  // namespace mikpoly
