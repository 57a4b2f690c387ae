#include "tests/support/guard_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <utility>

namespace mikpoly::testing {

GuardBuffer::GuardBuffer(std::size_t bytes, Guard guard) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t body = (bytes + page - 1) / page * page;
  mapped_ = body + page;
  mapping_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping_ == MAP_FAILED) throw std::bad_alloc();
  char* start = static_cast<char*>(mapping_);
  char* wall = guard == Guard::kBehind ? start + body : start;
  if (mprotect(wall, page, PROT_NONE) != 0) throw std::bad_alloc();
  data_ = guard == Guard::kBehind ? wall - bytes : wall + page;
}

GuardBuffer::GuardBuffer(GuardBuffer&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_(other.mapped_),
      data_(other.data_) {}

GuardBuffer::~GuardBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

}  // namespace mikpoly::testing
