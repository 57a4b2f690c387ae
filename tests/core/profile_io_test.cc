#include "core/backend/profile_io.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace mikpoly {
namespace {

using nlohmann::json;

Profile sample() {
  Profile p;
  p.backend = "cpu";
  p.device = "A CPU (family 1), avx2";
  p.table_hash = "00ff";
  p.library = "0.1.0";
  p.date = "2024-01-01T00:00:00Z";
  p.device_model.units = 4;
  p.device_model.launch_ns = 10;
  p.device_model.launch_ns_per_unit = 200.25;
  p.device_model.level_count = 2;
  p.device_model.levels[0] = {1 << 20, 100.5, 50};
  p.device_model.levels[1] = {0, 20, 12};
  KernelCost k;
  k.name = "kernel_a";
  k.task_time.count = 2;
  k.task_time.pieces[0] = {0, 12.5, 100};
  k.task_time.pieces[1] = {8, -3, 110.0 / 3};
  k.row_share.count = 1;
  k.row_share.pieces[0] = {1, 0.25, 0.125};
  k.slice_ns = 77;
  k.fit_error = 0.01;
  p.catalogs["f32.rows"] = {k, k};
  p.catalogs["f32.rows"][1].name = "kernel_b";
  p.catalogs["f32.empty"] = {};
  return p;
}

BackendInfo info_of(const Profile& p) {
  BackendInfo info;
  info.name = p.backend;
  info.device = p.device;
  info.table_hash = p.table_hash;
  return info;
}

// A folder of its own, searched as cache directory, without a profile in the environment.
class ProfileFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "profile_io_test_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = std::filesystem::absolute(name);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    unsetenv("MIKPOLY_PROFILE");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const char* name) const { return (folder_ / name).string(); }
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }
  static Status accept(const Profile&) { return {}; }
  // What find_profile gives for the sample's device, and what it prints.
  Result<Profile> find(const std::string& path, std::string* printed,
                       const AcceptProfile& use = accept) const {
    ::testing::internal::CaptureStderr();
    Result<Profile> found = find_profile(path, info_of(sample()), use);
    *printed = ::testing::internal::GetCapturedStderr();
    return found;
  }

  std::filesystem::path folder_;
};

void expect_same(const Profile& x, const Profile& y) {
  EXPECT_EQ(format_profile(x), format_profile(y));
}

TEST_F(ProfileFiles, SaveAndLoad) {
  const std::string path = file("deep/er/p.json");
  ASSERT_TRUE(save_profile(sample(), path).ok());
  const Result<Profile> loaded = load_profile(path);
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  expect_same(loaded.value(), sample());
  const KernelCost& k = loaded.value().catalogs.at("f32.rows")[1];
  EXPECT_EQ(k.name, "kernel_b");
  EXPECT_EQ(k.task_time.pieces[1].ns_per_step, 110.0 / 3);  // to the last bit
  ASSERT_TRUE(save_profile(sample(), path).ok());           // over an old one
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "deep" / "er")) {
    (void)entry;
    ++files;
  }
  EXPECT_EQ(files, 1);  // no temporary file stays
}

TEST_F(ProfileFiles, SaveToAnImpossiblePlaceIsAnError) {
  write("plain", "");
  for (const std::string& path : {file("plain/below.json"), folder_.string()}) {
    const Status status = save_profile(sample(), path);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_NE(status.message().find(path), std::string::npos) << status.message();
  }
}

struct Damage {
  const char* name;
  void (*spoil)(json*);
};

json* kernel(json* j) { return &(*j)["catalogs"]["f32.rows"][0]; }

const Damage kDamages[] = {
    {"UnknownField", [](json* j) { (*j)["surprise"] = 1; }},
    {"MissingField", [](json* j) { j->erase("date"); }},
    {"OtherFormat", [](json* j) { (*j)["format"] = 2; }},
    {"FormatNotANumber", [](json* j) { (*j)["format"] = "1"; }},
    {"DeviceNotAText", [](json* j) { (*j)["device"] = 5; }},
    {"Array", [](json* j) { *j = json::array(); }},
    {"CatalogsNotAnObject", [](json* j) { (*j)["catalogs"] = 3; }},
    {"CatalogNotAnArray", [](json* j) { (*j)["catalogs"]["f32.rows"] = json::object(); }},
    {"KernelWithUnknownField", [](json* j) { (*kernel(j))["x"] = 1; }},
    {"KernelWithoutName", [](json* j) { kernel(j)->erase("name"); }},
    {"NegativeShareSlope", [](json* j) { (*kernel(j))["row_share"][0]["ns_per_step"] = -0.5; }},
    {"NullSlice", [](json* j) { (*kernel(j))["slice_ns"] = nullptr; }},
    {"NegativeSlope", [](json* j) { (*kernel(j))["task_time"][0]["ns_per_step"] = -1; }},
    {"CurveOutOfOrder", [](json* j) { (*kernel(j))["task_time"][1]["from_step"] = 0; }},
    {"EmptyCurve", [](json* j) { (*kernel(j))["task_time"] = json::array(); }},
    {"TooManyPieces",
     [](json* j) {
       json& pieces = (*kernel(j))["task_time"];
       for (int i = 0; i < 10; ++i) {
         pieces.push_back({{"from_step", 20 + i}, {"base_ns", 1}, {"ns_per_step", 1}});
       }
     }},
    {"NoUnits", [](json* j) { (*j)["device_model"]["units"] = 0; }},
    {"FractionOfAUnit", [](json* j) { (*j)["device_model"]["units"] = 1.5; }},
    {"UnitsBeyondInt", [](json* j) { (*j)["device_model"]["units"] = 1e300; }},
    {"BytesBeyondInt64",
     [](json* j) { (*j)["device_model"]["levels"][0]["bytes"] = 18446744073709551615ULL; }},
    {"NegativeBytes", [](json* j) { (*j)["device_model"]["levels"][0]["bytes"] = -1; }},
    {"NegativeLaunch", [](json* j) { (*j)["device_model"]["launch_ns"] = -1; }},
    {"FewestAboveMost", [](json* j) { (*j)["device_model"]["min_units"] = 9; }},
    {"TooManyLevels",
     [](json* j) {
       json& levels = (*j)["device_model"]["levels"];
       for (int i = 0; i < 5; ++i) levels.push_back(levels[0]);
     }},
};

class Damaged : public ProfileFiles, public ::testing::WithParamInterface<Damage> {};
INSTANTIATE_TEST_SUITE_P(Table, Damaged, ::testing::ValuesIn(kDamages),
                         [](const auto& row) { return row.param.name; });

TEST_P(Damaged, IsRefused) {
  json j = json::parse(format_profile(sample()));
  GetParam().spoil(&j);
  const Result<Profile> parsed = parse_profile(j.dump());
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.status().code(), StatusCode::kInvalidArgument);
  EXPECT_FALSE(parsed.status().message().empty());
}

TEST(ProfileText, EveryTruncationIsRefused) {
  const std::string text = format_profile(sample());
  const std::size_t body = text.find_last_of('}');
  for (std::size_t length = 0; length <= body; ++length) {
    ASSERT_FALSE(parse_profile(text.substr(0, length)).ok()) << length;
  }
}

TEST(ProfileText, NonFiniteNumbersAreRefused) {
  const std::string text = format_profile(sample());
  for (const char* number : {"NaN", "Infinity", "1e999", "-1e999"}) {
    std::string bad = text;
    bad.replace(bad.find("200.25"), 6, number);
    EXPECT_FALSE(parse_profile(bad).ok()) << number;
  }
}

TEST(ProfileText, GarbageIsRefused) {
  for (const char* text : {"", "null", "{}", "[1,2", "\xff\xfe\x00", "{\"format\":1}"}) {
    EXPECT_FALSE(parse_profile(text).ok());
  }
}

TEST_F(ProfileFiles, NothingFoundIsSilent) {
  std::string printed;
  const Result<Profile> found = find("", &printed);
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found.value().path.empty());
  EXPECT_TRUE(printed.empty()) << printed;
}

TEST_F(ProfileFiles, UserCacheIsFoundByDevice) {
  const std::string path = user_profile_path(sample().device);
  EXPECT_EQ(path, file("mikpoly/a-cpu-family-1-avx2.json"));
  ASSERT_TRUE(save_profile(sample(), path).ok());
  std::string printed;
  const Result<Profile> found = find("", &printed);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.value().path, path);
  EXPECT_TRUE(printed.empty()) << printed;
}

TEST_F(ProfileFiles, EnvironmentComesBeforeTheUserCache) {
  ASSERT_TRUE(save_profile(sample(), user_profile_path(sample().device)).ok());
  ASSERT_TRUE(save_profile(sample(), file("env.json")).ok());
  setenv("MIKPOLY_PROFILE", file("env.json").c_str(), 1);
  std::string printed;
  EXPECT_EQ(find("", &printed).value().path, file("env.json"));
  ASSERT_TRUE(save_profile(sample(), file("option.json")).ok());
  EXPECT_EQ(find(file("option.json"), &printed).value().path, file("option.json"));
  EXPECT_TRUE(printed.empty()) << printed;
}

TEST_F(ProfileFiles, UnusableFilesGetOneWarningEachAndTheNextIsTried) {
  const std::string user = user_profile_path(sample().device);
  ASSERT_TRUE(save_profile(sample(), user).ok());
  Profile foreign = sample();
  foreign.device = "Another CPU";
  Profile stale = sample();
  stale.table_hash = "beef";
  Profile other = sample();
  other.backend = "onednn";
  ASSERT_TRUE(save_profile(foreign, file("foreign.json")).ok());
  ASSERT_TRUE(save_profile(stale, file("stale.json")).ok());
  ASSERT_TRUE(save_profile(other, file("other.json")).ok());
  write("damaged.json", "{\"format\": 1, ");
  const std::pair<const char*, const char*> cases[] = {{"foreign.json", "another device"},
                                                       {"stale.json", "stale"},
                                                       {"other.json", "onednn"},
                                                       {"damaged.json", "damaged"},
                                                       {"missing.json", "missing.json"}};
  for (const auto& [name, why] : cases) {
    setenv("MIKPOLY_PROFILE", file(name).c_str(), 1);
    std::string printed;
    const Result<Profile> found = find("", &printed);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found.value().path, user);
    EXPECT_EQ(std::count(printed.begin(), printed.end(), '\n'), 1) << printed;
    EXPECT_NE(printed.find(name), std::string::npos) << printed;
    EXPECT_NE(printed.find(why), std::string::npos) << printed;
    // The same file asked for by name is an error.
    const Result<Profile> exact = find(file(name), &printed);
    ASSERT_FALSE(exact.ok());
    EXPECT_EQ(exact.status().code(), StatusCode::kInvalidArgument);
    EXPECT_NE(exact.status().message().find(name), std::string::npos);
    EXPECT_TRUE(printed.empty()) << printed;
  }
}

TEST_F(ProfileFiles, BackendMayRefuse) {
  ASSERT_TRUE(save_profile(sample(), user_profile_path(sample().device)).ok());
  const AcceptProfile refuse = [](const Profile&) {
    return Status(StatusCode::kInvalidArgument, "unknown kernel");
  };
  std::string printed;
  const Result<Profile> found = find("", &printed, refuse);
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found.value().path.empty());
  EXPECT_NE(printed.find("unknown kernel"), std::string::npos) << printed;
}

}  // namespace
}  // namespace mikpoly
