#include "backends/onednn/memory.h"

#include <array>
#include <new>

namespace mikpoly::onednn {
namespace {

constexpr std::align_val_t kAlignment{64};

struct Block {
  void* data = nullptr;
  std::size_t bytes = 0;

  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { release(); }
  void release() {
    ::operator delete(data, kAlignment);
    data = nullptr;
    bytes = 0;
  }
};

}  // namespace

bool is_plain(int64_t rows, int64_t cols, Strides strides) {
  return (strides.col == 1 && strides.row >= cols) || (strides.row == 1 && strides.col >= rows);
}

void copy_matrix(const float* from, Strides from_strides, float* to, Strides to_strides,
                 int64_t rows, int64_t cols) {
  for (int64_t i = 0; i < rows; ++i) {
    const float* source = from + i * from_strides.row;
    float* target = to + i * to_strides.row;
    for (int64_t j = 0; j < cols; ++j) target[j * to_strides.col] = source[j * from_strides.col];
  }
}

void* thread_memory(Use use, std::size_t bytes) {
  thread_local std::array<Block, 4> blocks;
  Block& block = blocks[static_cast<std::size_t>(use)];
  if (bytes > block.bytes) {
    block.release();
    block.data = ::operator new(bytes, kAlignment);
    block.bytes = bytes;
  }
  return block.data;
}

}  // namespace mikpoly::onednn
