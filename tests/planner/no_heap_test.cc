// make_plan allocates nothing: operator new is counted.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "planner/search.h"
#include "tests/support/fake_device.h"

namespace {
long allocations = 0;
}

void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace mikpoly {
namespace {

TEST(MakePlan, AllocatesNothing) {
  const long at_start = allocations;
  const Catalog catalogs[] = {testing::two_core_catalog(), testing::many_unit_catalog(),
                              testing::odd_catalog(30, 6)};
  EXPECT_GT(allocations, at_start);  // the counter counts
  const std::vector<Shape> shapes = testing::random_shapes(1000, 8192, 51);
  for (const Catalog& catalog : catalogs) {
    const long before = allocations;
    for (const Shape& shape : shapes) make_plan(shape, catalog);
    EXPECT_EQ(allocations, before);
  }
}

}  // namespace
}  // namespace mikpoly
