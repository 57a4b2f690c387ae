// Profiles as JSON files, and where they are looked for.
#pragma once

#include <functional>
#include <string>

#include "core/backend/backend.h"
#include "core/backend/profile.h"
#include "mikpoly/status.h"

namespace mikpoly {

// Text form and back. parse: invalid_argument that says what is wrong with the text.
std::string format_profile(const Profile& profile);
Result<Profile> parse_profile(const std::string& text);

// invalid_argument where the file can't be read or is no profile.
Result<Profile> load_profile(const std::string& path);

// Writes a temporary file beside path and renames it, so that a reader never sees half a profile;
// missing folders are made. invalid_argument where that fails.
Status save_profile(const Profile& profile, const std::string& path);

// Where the tuner writes and every runtime looks: $XDG_CACHE_HOME/mikpoly/<device>.json, or below
// ~/.cache. Empty where neither variable is set.
std::string user_profile_path(const std::string& device);

// The profile for a device: `path` if not empty (then anything unusable is invalid_argument), else
// MIKPOLY_PROFILE, the user cache directory, the profiles built into the library; a file that is
// damaged, of another device or of another kernel table gets one warning on stderr and the next is
// tried. `accept` has the last word on a file (the backend, which knows its micro-kernels). A
// profile without catalogs when there is none.
using AcceptProfile = std::function<Status(const Profile&)>;
Result<Profile> find_profile(const std::string& path, const BackendInfo& info,
                             const AcceptProfile& accept);

}  // namespace mikpoly
