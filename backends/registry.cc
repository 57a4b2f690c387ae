// Every backend built into this library, best first; the reference accepts everything and is last.
#include "core/backend/backend.h"
#if MIKPOLY_HAS_CPU
#include "backends/cpu/cpu_backend.h"
#endif
#if MIKPOLY_HAS_ONEDNN
#include "backends/onednn/onednn_backend.h"
#endif
#include "backends/ref/ref_backend.h"

namespace mikpoly {

const BackendEntry* backend_table(std::size_t* count) {
  static const BackendEntry table[] = {
#if MIKPOLY_HAS_CPU
    cpu_backend_entry(),
#endif
#if MIKPOLY_HAS_ONEDNN
    onednn_backend_entry(),
#endif
    ref_backend_entry(),
  };
  *count = sizeof table / sizeof table[0];
  return table;
}

}  // namespace mikpoly
