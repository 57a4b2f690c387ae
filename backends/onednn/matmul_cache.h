// The primitives used last.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "backends/onednn/matmul.h"

namespace mikpoly::onednn {

// Least recently used goes first. Safe to share between threads; a primitive is made outside the
// lock, so two threads that miss the same one both make it.
class MatmulCache {
 public:
  static constexpr std::size_t kCapacity = 64;

  // Throws dnnl::error where the primitive can't be made.
  std::shared_ptr<const Matmul> get(const MatmulKey& key);

 private:
  struct Entry {
    MatmulKey key;
    std::shared_ptr<const Matmul> matmul;
    uint64_t used = 0;
  };
  std::shared_ptr<const Matmul> find(const MatmulKey& key);
  void insert(const MatmulKey& key, std::shared_ptr<const Matmul> matmul);

  std::mutex mutex_;
  std::vector<Entry> entries_;
  uint64_t clock_ = 0;
};

}  // namespace mikpoly::onednn
