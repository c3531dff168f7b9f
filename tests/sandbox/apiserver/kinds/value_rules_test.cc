// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/builtin/int_or_percent.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

std::vector<std::string> FoundInShare(const json& value) {
  Errors errors;
  const Field field(value, errors);
  CheckIntOrPercent(field);
  CheckAtMostAll(field);
  std::vector<std::string> texts;
  for (const auto& error : errors) texts.push_back(error.detail);
  return texts;
}

TEST(IntOrPercent, AcceptsNumberOrPercentage) {
  for (const json& fine : {json(0), json(7), json("0%"), json("100%")})
    EXPECT_TRUE(FoundInShare(fine).empty()) << fine;
  EXPECT_EQ(FoundInShare(-1), std::vector<std::string>{"must be greater than or equal to 0"});
  EXPECT_EQ(FoundInShare("101%"), std::vector<std::string>{"must not be greater than 100%"});
  for (const char* word : {"", "5", "%", "-5%", "5%%"})
    EXPECT_EQ(FoundInShare(word).size(), 1U) << word;
}

TEST(IntOrPercent, RecognizesZero) {
  Errors errors;
  for (const json& zero : {json(), json(0), json("0%")})
    EXPECT_TRUE(IsZeroIntOrPercent(Field(zero, errors))) << zero;
  for (const json& some : {json(1), json("1%")})
    EXPECT_FALSE(IsZeroIntOrPercent(Field(some, errors))) << some;
}

}  // namespace
}  // namespace berth::apiserver
