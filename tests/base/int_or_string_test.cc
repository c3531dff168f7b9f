// SPDX-License-Identifier: Apache-2.0
#include "base/int_or_string.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(IntOrString, ParsesIntegerTextAsInteger) {
  const struct {
    std::string_view text;
    bool is_int;
    int32_t number;
  } rows[] = {
      {"80", true, 80},       {"-1", true, -1},  {"0", true, 0},   {"2147483647", true, 2147483647},
      {"http", false, 0},     {"25%", false, 0}, {"", false, 0},   {"1.5", false, 0},
      {"8080-tcp", false, 0}, {"+1", false, 0},  {" 1", false, 0},
  };
  for (const auto& row : rows) {
    const auto parsed = IntOrString::Parse(row.text);
    ASSERT_TRUE(parsed.has_value()) << row.text;
    EXPECT_EQ(parsed->IsInt(), row.is_int) << row.text;
    EXPECT_EQ(parsed->number(), row.number) << row.text;
    EXPECT_EQ(parsed->word(), row.is_int ? "" : row.text);
    EXPECT_EQ(parsed->ToString(), row.text);
  }
}

TEST(IntOrString, RejectsIntegersBeyond32Bits) {
  for (const std::string_view text : {"2147483648", "-2147483649", "99999999999999999999"}) {
    const auto parsed = IntOrString::Parse(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_NE(parsed.error().message().find(text), std::string::npos);
    EXPECT_NE(parsed.error().message().find("2147483647"), std::string::npos);
  }
}

TEST(IntOrString, ZeroAndEmptyStringAreEmpty) {
  EXPECT_TRUE(IntOrString().IsEmpty());
  EXPECT_TRUE(IntOrString(std::string()).IsEmpty());
  EXPECT_FALSE(IntOrString(1).IsEmpty());
  EXPECT_FALSE(IntOrString(std::string("http")).IsEmpty());
  EXPECT_NE(IntOrString(1), IntOrString(2));
  EXPECT_NE(IntOrString(0), IntOrString(std::string()));
}

}  // namespace
}  // namespace berth
