#include "core/backend/profile_io.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/log.h"
#include "kernels/profiles/embedded.h"

namespace mikpoly {
namespace {

Status invalid(std::string message) { return {StatusCode::kInvalidArgument, std::move(message)}; }

// Letters, digits and '-' of a device identity.
std::string slug(const std::string& device) {
  std::string text;
  for (const char c : device) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (plain) {
      text += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    } else if (!text.empty() && text.back() != '-') {
      text += '-';
    }
  }
  while (!text.empty() && text.back() == '-') text.pop_back();
  return text;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Empty where the profile fits; else why not.
std::string mismatch(const Profile& profile, const BackendInfo& info) {
  if (profile.backend != info.name) return "is for the backend \"" + profile.backend + "\"";
  if (profile.device != info.device) return "is for another device: " + profile.device;
  if (profile.table_hash != info.table_hash) {
    return "is stale: its micro-kernel table is " + profile.table_hash + ", this library's " +
           info.table_hash;
  }
  return "";
}

// The profile if it fits and is accepted; else why not.
Result<Profile> fitting(Result<Profile> profile, const std::string& path, const BackendInfo& info,
                        const AcceptProfile& accept) {
  if (!profile.ok()) return profile;
  const std::string why = mismatch(profile.value(), info);
  if (!why.empty()) return invalid("profile " + path + " " + why);
  profile.value().path = path;
  if (Status s = accept(profile.value()); !s.ok()) {
    return invalid("profile " + path + " can't be used: " + s.message());
  }
  return profile;
}

Result<Profile> shipped(const BackendInfo& info, const AcceptProfile& accept) {
  for (const EmbeddedProfile& embedded : embedded_profiles()) {
    if (slug(info.device) != embedded.name) continue;
    const std::string path = std::string("shipped:") + embedded.name;
    Result<Profile> profile = parse_profile(embedded.text);
    if (!profile.ok()) return invalid("profile " + path + ": " + profile.status().message());
    return fitting(std::move(profile), path, info, accept);
  }
  return Profile{};
}

Status write_and_sync(const std::string& path, const std::string& text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return invalid("can't write " + path + ": " + std::strerror(errno));
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(fd, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    written += static_cast<std::size_t>(n);
  }
  const bool synced = written == text.size() && fsync(fd) == 0;
  const bool closed = close(fd) == 0;
  if (synced && closed) return {};
  return invalid("can't write " + path + ": " + std::strerror(errno));
}

}  // namespace

Result<Profile> load_profile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return invalid("profile " + path + " is not a readable file");
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return invalid("profile " + path + " can't be read: " + std::strerror(errno));
  Result<Profile> profile = parse_profile(text.str());
  if (!profile.ok())
    return invalid("profile " + path + " is damaged: " + profile.status().message());
  return profile;
}

Status save_profile(const Profile& profile, const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  const std::string temporary = path + "." + std::to_string(getpid()) + ".tmp";
  if (Status s = write_and_sync(temporary, format_profile(profile)); !s.ok()) {
    unlink(temporary.c_str());
    return s;
  }
  if (std::rename(temporary.c_str(), path.c_str()) == 0) return {};
  const int why = errno;
  unlink(temporary.c_str());
  return invalid("can't write " + path + ": " + std::strerror(why));
}

std::string user_profile_path(const std::string& device) {
  std::string folder = environment("XDG_CACHE_HOME");
  if (folder.empty()) {
    const std::string home = environment("HOME");
    if (home.empty()) return "";
    folder = home + "/.cache";
  }
  return folder + "/mikpoly/" + slug(device) + ".json";
}

Result<Profile> find_profile(const std::string& path, const BackendInfo& info,
                             const AcceptProfile& accept) {
  if (!path.empty()) return fitting(load_profile(path), path, info, accept);
  std::error_code error;
  const std::string user = user_profile_path(info.device);
  for (const std::string& candidate : {environment("MIKPOLY_PROFILE"), user}) {
    if (candidate.empty()) continue;
    // Most users have no file in the cache directory; one named in the environment should exist.
    if (candidate == user && !std::filesystem::exists(candidate, error)) continue;
    Result<Profile> profile = fitting(load_profile(candidate), candidate, info, accept);
    if (profile.ok()) return profile;
    warn(profile.status().message() + "; trying the next profile");
  }
  Result<Profile> profile = shipped(info, accept);
  if (profile.ok()) return profile;
  warn(profile.status().message() + "; using the analytic model");
  return Profile{};
}

}  // namespace mikpoly
