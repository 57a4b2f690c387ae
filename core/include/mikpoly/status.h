// Outcome of every public call: a code and, unless ok, a message.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "mikpoly/export.h"

namespace mikpoly {

enum class StatusCode {
  kOk = 0,
  kInvalidArgument,  // the caller's input breaks a documented rule; nothing was changed
  kUnsupported,      // valid input that no usable backend serves
  kOutOfMemory,
  kDeviceError,  // the device or its driver reported a fault
  kInternal,     // a fault of this library
};

// "ok", "invalid_argument", ...
MIKPOLY_EXPORT const char* to_string(StatusCode code);

class [[nodiscard]] Status {
 public:
  Status() = default;  // ok
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  // Names the argument, its value and what is allowed; empty when ok.
  const std::string& message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

// A value, or the status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {}  // NOLINT: status must not be ok

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  // Only where ok().
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return *std::move(value_); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace mikpoly
