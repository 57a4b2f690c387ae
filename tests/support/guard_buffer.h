// Memory next to a page that faults when touched.
#pragma once

#include <cstddef>

namespace mikpoly::testing {

class GuardBuffer {
 public:
  enum class Guard { kBehind, kBefore };

  // `bytes` of zeros that end (or start) exactly at the guard page.
  GuardBuffer(std::size_t bytes, Guard guard);
  GuardBuffer(GuardBuffer&& other) noexcept;
  GuardBuffer& operator=(GuardBuffer&&) = delete;
  ~GuardBuffer();

  void* data() const { return data_; }

 private:
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  void* data_ = nullptr;
};

}  // namespace mikpoly::testing
