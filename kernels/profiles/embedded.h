// The profiles in this folder, built into the library.
#pragma once

#include <span>

namespace mikpoly {

struct EmbeddedProfile {
  const char*
      name;  // file name without .json: the device identity in small letters, digits and '-'
  const char* text;
};
std::span<const EmbeddedProfile> embedded_profiles();

}  // namespace mikpoly
