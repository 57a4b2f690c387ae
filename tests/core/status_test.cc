#include "mikpoly/status.h"

#include <gtest/gtest.h>

#include <memory>

#include "mikpoly/version.h"

namespace mikpoly {
namespace {

TEST(Status, DefaultIsOkWithoutMessage) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_TRUE(status.message().empty());
}

TEST(Status, KeepsCodeAndMessage) {
  const Status status(StatusCode::kUnsupported, "why");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_EQ(status.message(), "why");
}

TEST(Status, EveryCodeHasAName) {
  EXPECT_STREQ(to_string(StatusCode::kOk), "ok");
  EXPECT_STREQ(to_string(StatusCode::kInvalidArgument), "invalid_argument");
  EXPECT_STREQ(to_string(StatusCode::kUnsupported), "unsupported");
  EXPECT_STREQ(to_string(StatusCode::kOutOfMemory), "out_of_memory");
  EXPECT_STREQ(to_string(StatusCode::kDeviceError), "device_error");
  EXPECT_STREQ(to_string(StatusCode::kInternal), "internal");
  EXPECT_STREQ(to_string(static_cast<StatusCode>(77)), "unknown");
}

TEST(Result, HoldsAValueThatCanBeMovedOut) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result.status().ok());
  const std::unique_ptr<int> value = std::move(result).value();
  EXPECT_EQ(*value, 7);
}

TEST(Result, HoldsAStatus) {
  const Result<int> result(Status(StatusCode::kInternal, "broken"));
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.status().message(), "broken");
}

TEST(Version, IsThreeNumbers) {
  EXPECT_EQ(std::string(version()), std::to_string(MIKPOLY_VERSION_MAJOR) + "." +
                                        std::to_string(MIKPOLY_VERSION_MINOR) + "." +
                                        std::to_string(MIKPOLY_VERSION_PATCH));
}

}  // namespace
}  // namespace mikpoly
