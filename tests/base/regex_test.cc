// SPDX-License-Identifier: Apache-2.0
#include "base/regex.h"

#include <gmock/gmock.h>

namespace berth {
namespace {

TEST(Regex, MatchesAnyPartOfTheTextUnlessAnchored) {
  EXPECT_TRUE((*Regex::Compile("b+"))->Matches("abc"));
  EXPECT_FALSE((*Regex::Compile("^b+$"))->Matches("abc"));
}

TEST(Regex, ErrorDescribesTheBadPattern) {
  EXPECT_EQ(Regex::Compile("(").error().message(), "error parsing regexp: missing ): (");
}

TEST(Regex, HandlesTextsAndPatternsOfAnyLength) {
  const std::string megabytes(8 << 20, 'a');
  EXPECT_TRUE((*Regex::Compile("^a([-a]*a)?$"))->Matches(megabytes));
  EXPECT_FALSE((*Regex::Compile("^(a*)*b$"))->Matches(megabytes));
  EXPECT_FALSE(Regex::Compile(std::string(100'000, '(')).has_value());
  EXPECT_FALSE(Regex::Compile("((a{1000}){1000}){1000}").has_value());
}

TEST(Regex, AcceptsInvalidUtf8) {
  EXPECT_FALSE((*Regex::Compile("^[a-z]+$"))->Matches("a\xff"));
  EXPECT_FALSE(Regex::Compile("\xff").has_value());
}

}  // namespace
}  // namespace berth
