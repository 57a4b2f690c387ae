#include "backends/onednn/matmul_cache.h"

#include <algorithm>

namespace mikpoly::onednn {

std::shared_ptr<const Matmul> MatmulCache::get(const MatmulKey& key) {
  if (auto known = find(key)) return known;
  auto made = std::make_shared<const Matmul>(make_matmul(key));
  insert(key, made);
  return made;
}

std::shared_ptr<const Matmul> MatmulCache::find(const MatmulKey& key) {
  const std::lock_guard lock(mutex_);
  for (Entry& entry : entries_) {
    if (!(entry.key == key)) continue;
    entry.used = ++clock_;
    return entry.matmul;
  }
  return nullptr;
}

void MatmulCache::insert(const MatmulKey& key, std::shared_ptr<const Matmul> matmul) {
  const std::lock_guard lock(mutex_);
  Entry entry{key, std::move(matmul), ++clock_};
  if (entries_.size() < kCapacity) {
    entries_.push_back(std::move(entry));
    return;
  }
  const auto older = [](const Entry& x, const Entry& y) { return x.used < y.used; };
  *std::min_element(entries_.begin(), entries_.end(), older) = std::move(entry);
}

}  // namespace mikpoly::onednn
