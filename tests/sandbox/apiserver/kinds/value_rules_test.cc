// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/go/go_value.h"
#include "sandbox/apiserver/kinds/builtin/addresses.h"
#include "sandbox/apiserver/kinds/builtin/int_or_percent.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

TEST(FamilyOf, TellsAddressesFromOtherTexts) {
  EXPECT_EQ(FamilyOf("10.0.0.7"), "IPv4");
  EXPECT_EQ(FamilyOf("2001:db8::1"), "IPv6");
  for (const char* text : {"", "x", "10.0.0", "10.0.0.256", "10.0.0.7/8"})
    EXPECT_EQ(FamilyOf(text), "") << text;
}

TEST(FamilyOfRange, WantsALengthThatFits) {
  EXPECT_EQ(FamilyOfRange("10.0.0.0/24"), "IPv4");
  EXPECT_EQ(FamilyOfRange("2001:db8::/64"), "IPv6");
  for (const char* text : {"10.0.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "x/8"})
    EXPECT_EQ(FamilyOfRange(text), "") << text;
}

TEST(GoText, WritesAllFieldsInTheOrderOfTheStruct) {
  static constexpr GoField kInner[] = {{"Key", "key", "\"\""}, {"Values", "values"}};
  static constexpr GoField kOuter[] = {
      {"Name", "name", "\"\""}, {"Count", "count", "0"}, {"Items", "items", "null", kInner}};
  EXPECT_EQ(GoText(json::parse(R"({"items": [{"values": ["a"]}], "name": "n"})"), kOuter),
            R"({"Name":"n","Count":0,"Items":[{"Key":"","Values":["a"]}]})");
  EXPECT_EQ(GoText(json(), kOuter), R"({"Name":"","Count":0,"Items":null})");
}

std::vector<std::string> Found(const json& value) {
  Problems problems;
  const Field field(value, problems);
  CheckIntOrPercent(field);
  CheckAtMostAll(field);
  std::vector<std::string> texts;
  for (const auto& problem : problems) texts.push_back(problem.detail);
  return texts;
}

TEST(IntOrPercent, IsANumberOrAShare) {
  for (const json& fine : {json(0), json(7), json("0%"), json("100%")})
    EXPECT_TRUE(Found(fine).empty()) << fine;
  EXPECT_EQ(Found(-1), std::vector<std::string>{"must be greater than or equal to 0"});
  EXPECT_EQ(Found("101%"), std::vector<std::string>{"must not be greater than 100%"});
  for (const char* word : {"", "5", "%", "-5%", "5%%"}) EXPECT_EQ(Found(word).size(), 1U) << word;
}

TEST(IntOrPercent, KnowsZero) {
  Problems problems;
  for (const json& zero : {json(), json(0), json("0%")})
    EXPECT_TRUE(IsZeroIntOrPercent(Field(zero, problems))) << zero;
  for (const json& some : {json(1), json("1%")})
    EXPECT_FALSE(IsZeroIntOrPercent(Field(some, problems))) << some;
}

}  // namespace
}  // namespace berth::apiserver
