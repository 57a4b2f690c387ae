// Every backend that can run here, the cpu backend once for each instruction set.
#pragma once

#include <cstdlib>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "mikpoly/mikpoly.h"

namespace mikpoly::testing {

struct Target {
  std::string backend;
  std::string isa;  // MIKPOLY_ISA; empty for backends without the choice

  std::string name() const { return isa.empty() ? backend : backend + "_" + isa; }
};

inline std::ostream& operator<<(std::ostream& out, const Target& t) { return out << t.name(); }

inline std::vector<Target> targets() {
  std::vector<Target> all;
  for (const BackendStatus& b : Runtime::backends()) {
    if (b.score == 0) continue;
    if (b.name == "cpu") {
      for (const char* isa : {"avx512", "avx2", "generic"}) all.push_back({b.name, isa});
    } else {
      all.push_back({b.name, ""});
    }
  }
  return all;
}

// No profile of the user's: tests plan the same on every machine of a kind.
inline Result<Runtime> create_runtime(const Target& target, RuntimeOptions options) {
  options.backend = target.backend;
  setenv("XDG_CACHE_HOME", "no-profiles-for-tests", 1);
  unsetenv("MIKPOLY_PROFILE");
  if (!target.isa.empty()) setenv("MIKPOLY_ISA", target.isa.c_str(), 1);
  Result<Runtime> runtime = Runtime::create(options);
  unsetenv("MIKPOLY_ISA");
  return runtime;
}

// One runtime of two threads a target for the whole program; null where it can't run here.
inline Runtime* shared_runtime(const Target& target) {
  static std::map<std::string, Result<Runtime>> made;
  auto found = made.find(target.name());
  if (found == made.end()) {
    RuntimeOptions options;
    options.threads = 2;
    found = made.emplace(target.name(), create_runtime(target, options)).first;
  }
  return found->second.ok() ? &found->second.value() : nullptr;
}

}  // namespace mikpoly::testing
