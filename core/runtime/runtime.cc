// Creation of a runtime, and what it says about itself.
#include "mikpoly/runtime.h"

#include <algorithm>
#include <cstdlib>

#include "core/backend/profile_io.h"
#include "core/base/log.h"
#include "core/runtime/runtime_impl.h"

namespace mikpoly {
namespace {

Status invalid(std::string message) { return {StatusCode::kInvalidArgument, std::move(message)}; }

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The entry named, or for "auto" the usable one with the highest score.
Result<const BackendEntry*> choose_backend(const std::string& name) {
  std::size_t count = 0;
  const BackendEntry* table = backend_table(&count);
  const BackendEntry* best = nullptr;
  int best_score = 0;
  std::string names;
  for (std::size_t i = 0; i < count; ++i) {
    names += std::string(i == 0 ? "" : ", ") + table[i].name;
    if (name != "auto" && name != table[i].name) continue;
    const BackendInfo info = table[i].probe();
    if (name == table[i].name && info.score == 0) {
      return Status{StatusCode::kUnsupported,
                    "backend " + name + " can't run here: " + info.reason};
    }
    if (info.score > best_score) {
      best = &table[i];
      best_score = info.score;
    }
  }
  if (best != nullptr) return best;
  return invalid("backend (of the options or MIKPOLY_BACKEND) is \"" + name +
                 "\"; it must be auto or one of: " + names);
}

Status load_costs(const std::string& path, Backend* backend, std::string* name) {
  const auto use = [backend](const Profile& p) { return backend->use_profile(p); };
  const Result<Profile> profile = find_profile(path, backend->info(), use);
  if (!profile.ok()) return profile.status();
  if (!profile.value().path.empty()) *name = profile.value().path;
  return {};
}

}  // namespace

Result<Runtime> Runtime::create(const RuntimeOptions& options) {
  if (options.threads < 0) {
    return invalid("threads is " + std::to_string(options.threads) + "; it must be 0 or more");
  }
  std::string name = options.backend;
  const std::string asked = environment("MIKPOLY_BACKEND");
  if (name == "auto" && !asked.empty()) name = asked;
  const Result<const BackendEntry*> entry = choose_backend(name);
  if (!entry.ok()) return entry.status();
  Result<std::unique_ptr<Backend>> backend = entry.value()->create({options.threads});
  if (!backend.ok()) return backend.status();
  auto impl = std::make_unique<Impl>(std::move(backend).value(), options.cache_bytes);
  if (Status s = load_costs(options.profile_path, impl->backend.get(), &impl->profile_name);
      !s.ok()) {
    return s;
  }
  const BackendInfo info = impl->backend->info();
  log_line(1, "backend " + info.name + " (" + info.reason + "), " +
                  std::to_string(impl->backend->units()) + " threads, profile " +
                  impl->profile_name);
  return Runtime(std::move(impl));
}

std::vector<BackendStatus> Runtime::backends() {
  std::size_t count = 0;
  const BackendEntry* table = backend_table(&count);
  std::vector<BackendStatus> all;
  for (std::size_t i = 0; i < count; ++i) {
    const BackendInfo info = table[i].probe();
    all.push_back({info.name, info.score, info.reason});
  }
  std::stable_sort(all.begin(), all.end(), [](const BackendStatus& x, const BackendStatus& y) {
    return x.score > y.score;
  });
  return all;
}

Runtime::Runtime(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Runtime::Runtime(Runtime&&) noexcept = default;
Runtime& Runtime::operator=(Runtime&&) noexcept = default;
Runtime::~Runtime() = default;

CacheStats Runtime::cache_stats() const { return impl_->cache.stats(); }
std::string Runtime::backend_name() const { return impl_->backend->info().name; }
std::string Runtime::device() const { return impl_->backend->info().device; }
std::string Runtime::profile() const { return impl_->profile_name; }
int Runtime::threads() const { return impl_->backend->units(); }

}  // namespace mikpoly
