#include "bench/suites/csv.h"

#include <gtest/gtest.h>

namespace mikpoly::bench {
namespace {

std::string fault_of(const std::string& text) {
  const auto cases = parse_shapes(text, "f.csv", "f");
  return cases.ok() ? "" : cases.status().message();
}

TEST(CsvTest, ReadsRowsCommentsAndHeading) {
  const auto cases = parse_shapes(
      "# comment\nop,m,n,k\ngemm, 3 ,4,5\r\n\ngemm,1,2,3,1,NT,f32\ngemm,6,7,8", "f.csv", "f");
  ASSERT_TRUE(cases.ok()) << cases.status().message();
  ASSERT_EQ(cases.value().size(), 3U);
  EXPECT_EQ(cases.value()[0].m, 3);
  EXPECT_EQ(cases.value()[0].k, 5);
  EXPECT_EQ(cases.value()[0].trans, "");
  EXPECT_EQ(cases.value()[0].source, "f.csv:3");
  EXPECT_EQ(cases.value()[1].trans, "NT");
  EXPECT_EQ(cases.value()[1].dtype, "f32");
  EXPECT_EQ(cases.value()[2].suite, "f");
  for (const Case& c : cases.value()) EXPECT_EQ(c.unsupported, "");
}

TEST(CsvTest, WhatIsNotServedYetIsKeptWithAReason) {
  const auto cases = parse_shapes(
      "gemm,3,4,5,2\nconv,1,3,224,224,64,7,7,3,3,3,3,2,2,1,1,1\ngemm,3,4,5", "f.csv", "f");
  ASSERT_TRUE(cases.ok()) << cases.status().message();
  ASSERT_EQ(cases.value().size(), 3U);
  EXPECT_NE(cases.value()[0].unsupported, "");
  EXPECT_NE(cases.value()[1].unsupported, "");
  EXPECT_EQ(cases.value()[1].op, "conv");
  EXPECT_EQ(cases.value()[2].unsupported, "");
}

TEST(CsvTest, FaultsNameLineAndField) {
  EXPECT_EQ(fault_of("gemm,1,2,3\ngemm,1,x,3"),
            "f.csv:2: n is \"x\"; it must be an integer from 1 to 2^40");
  EXPECT_NE(fault_of("gemm,1,2,3\n\ngemm,1,2").find("f.csv:3"), std::string::npos);
  EXPECT_NE(fault_of("gemm,1,2,-3").find("k is \"-3\""), std::string::npos);
  EXPECT_NE(fault_of("gemm,1,2,0").find("k is \"0\""), std::string::npos);
  EXPECT_NE(fault_of("gemm,1,2,3.5").find("k is"), std::string::npos);
  EXPECT_NE(fault_of("gemm,1,2,99999999999999999999").find("k is"), std::string::npos);
  EXPECT_NE(fault_of("gemm,1,2,").find("k is \"\""), std::string::npos);
  EXPECT_NE(fault_of("gemm,1,2,3,1,XY").find("trans"), std::string::npos);
  EXPECT_NE(fault_of("gemm,1,2,3,1,NN,f99").find("f99"), std::string::npos);
  EXPECT_NE(fault_of("gemm,1,2,3,1,NN,f32,9").find("4 to 7 fields"), std::string::npos);
  EXPECT_NE(fault_of("pool,1,2,3").find("unknown operation"), std::string::npos);
  EXPECT_NE(fault_of("conv,1,3,224,224").find("17 fields"), std::string::npos);
  EXPECT_NE(fault_of("conv,1,3,224,224,64,7,7,3,3,3,-1,2,2,1,1,1").find("field 12"),
            std::string::npos);
  EXPECT_NE(fault_of("# nothing\n").find("no shapes"), std::string::npos);
}

TEST(CsvTest, MissingFileIsAnError) {
  const auto cases = read_shapes("no/such/file.csv");
  ASSERT_FALSE(cases.ok());
  EXPECT_EQ(cases.status().code(), StatusCode::kInvalidArgument);
}

TEST(CsvTest, IntegersAreWholeFields) {
  int64_t value = 0;
  EXPECT_TRUE(parse_integer("42", &value));
  EXPECT_EQ(value, 42);
  for (const char* text : {"", "4 2", "0x4", "4.", "+4", "1e3"}) {
    EXPECT_FALSE(parse_integer(text, &value)) << text;
  }
}

}  // namespace
}  // namespace mikpoly::bench
