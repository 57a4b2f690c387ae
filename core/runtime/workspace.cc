#include "core/runtime/workspace.h"

#include <cstddef>
#include <limits>
#include <new>

namespace mikpoly {
namespace {

constexpr std::align_val_t kAlignment{64};

class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { release(); }

  Workspace grow(std::size_t bytes) {
    if (bytes <= held_.bytes) return held_;
    release();
    held_.data = ::operator new(bytes, kAlignment, std::nothrow);
    held_.bytes = held_.data == nullptr ? 0 : bytes;
    return held_;
  }

 private:
  void release() {
    ::operator delete(held_.data, kAlignment);
    held_ = {};
  }
  Workspace held_;
};

}  // namespace

Workspace thread_workspace(int64_t bytes) {
  // Beyond this, rounding up for the alignment could wrap.
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 2;
  if (bytes > kMost) return {};
  thread_local Block block;
  return block.grow(static_cast<std::size_t>(bytes));
}

}  // namespace mikpoly
