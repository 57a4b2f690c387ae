// Plans for fixed shapes on invented devices, kept as files. A change of the search or the model
// shows as a diff of tests/golden; `planner_golden_test --update-golden` writes the files anew.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <string_view>

#include "planner/search.h"
#include "tests/support/fake_device.h"

namespace mikpoly {
namespace {

bool update_golden = false;

// Layers of language models, cases of the paper, and sizes around blocks.
constexpr Shape kShapes[] = {
    {1, 1, 1},          {1, 4096, 4096},    {7, 13, 17},        {64, 64, 64},
    {65, 64, 64},       {64, 65, 64},       {127, 129, 255},    {105, 1024, 12544},
    {128, 768, 768},    {128, 3072, 768},   {333, 3072, 768},   {500, 768, 3072},
    {512, 8, 500000},   {1024, 16, 500000}, {35, 8457, 2560},   {5124, 700, 2048},
    {3840, 16, 5120},   {5120, 256, 1280},  {3456, 4095, 5120}, {4096, 1024, 4096},
    {4096, 4096, 4096}, {1591, 1945, 320},  {5922, 5722, 527},  {8192, 8192, 1},
    {8192, 1, 8192},    {1, 8192, 8192},    {12544, 64, 147},   {200704, 64, 576},
    {1000, 1000, 0},    {0, 10, 10},        {999, 1001, 1003},  {2182, 3249, 7398}};

struct Golden {
  const char* name;
  Catalog catalog;
};

std::vector<Golden> goldens() {
  return {{"two_core", testing::two_core_catalog()},
          {"many_unit", testing::many_unit_catalog()},
          {"odd", testing::odd_catalog(20, 9)}};
}

std::string path_of(const Golden& golden) {
  return std::string(MIKPOLY_GOLDEN_DIR) + '/' + golden.name + ".csv";
}

void write(const Golden& golden) {
  std::ofstream file(path_of(golden));
  file << "plan\n";
  for (const Shape& shape : kShapes) {
    file << to_string(make_plan(shape, golden.catalog), golden.catalog) << '\n';
  }
  ASSERT_TRUE(file.good()) << path_of(golden);
}

// Costs may differ in the last digits where a compiler fuses multiply and add.
void compare(const Golden& golden) {
  std::ifstream file(path_of(golden));
  std::string line;
  ASSERT_TRUE(std::getline(file, line)) << path_of(golden) << " is missing";
  for (const Shape& shape : kShapes) {
    ASSERT_TRUE(std::getline(file, line)) << path_of(golden) << " is too short";
    Plan expected;
    ASSERT_TRUE(parse_plan(line, golden.catalog, &expected)) << line;
    const Plan plan = make_plan(shape, golden.catalog);
    EXPECT_NEAR(plan.cost_ns, expected.cost_ns, 1e-9 * expected.cost_ns) << line;
    expected.cost_ns = plan.cost_ns;
    EXPECT_EQ(plan, expected) << "golden " << line << "\nnow    "
                              << to_string(plan, golden.catalog);
  }
  EXPECT_FALSE(std::getline(file, line)) << path_of(golden) << " is too long";
}

TEST(GoldenPlans, AreUnchanged) {
  for (const Golden& golden : goldens()) {
    SCOPED_TRACE(golden.name);
    if (update_golden) {
      write(golden);
    } else {
      compare(golden);
    }
  }
}

}  // namespace
}  // namespace mikpoly

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--update-golden") mikpoly::update_golden = true;
  }
  return RUN_ALL_TESTS();
}
