// SPDX-License-Identifier: Apache-2.0
#include "base/strings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

using testing::ElementsAre;

TEST(NearestName, CorrectsTypingErrors) {
  const std::vector<std::string> names = {
      "NodeName",      "NodeAffinity", "NodePorts", "TaintToleration",
      "ImageLocality", "weight",       "args"};
  const struct {
    std::string_view word;
    std::optional<std::string> nearest;
  } rows[] = {
      {"NodeName", "NodeName"},
      {"nodename", "NodeName"},
      {"NodeNmae", "NodeName"},
      {"NodeNames", "NodeName"},
      {"NodePort", "NodePorts"},
      {"TaintTolerations", "TaintToleration"},
      {"ImageLocalty", "ImageLocality"},
      {"wieght", "weight"},
      {"arg", "args"},
      {"Nodeaffinty", "NodeAffinity"},
      {"VolumeBinding", std::nullopt},
      {"x", std::nullopt},
      {"", std::nullopt},
      {"abcd", std::nullopt},
  };
  for (const auto& row : rows) EXPECT_EQ(NearestName(row.word, names), row.nearest) << row.word;
}

TEST(NearestName, ReturnsTheFirstOfEquallyNearNames) {
  const std::vector<std::string_view> names = {"cat1", "cat2"};
  EXPECT_EQ(NearestName("cat3", names), "cat1");
  EXPECT_EQ(NearestName("CAT2", names), "cat2");
  EXPECT_EQ(NearestName("cat", std::vector<std::string>()), std::nullopt);
  EXPECT_EQ(NearestName(std::string(10'000, 'a'), names), std::nullopt);
}

TEST(Join, PutsTheSeparatorBetween) {
  EXPECT_EQ(Join(std::vector<std::string>{"a", "", "c"}, ", "), "a, , c");
  EXPECT_EQ(Join(std::vector<std::string_view>{"a"}, ", "), "a");
  EXPECT_EQ(Join(std::vector<std::string>(), ", "), "");
}

TEST(Split, ReturnsOnePartMoreThanSeparators) {
  EXPECT_THAT(Split("a/b/c", '/'), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Split("/a/", '/'), ElementsAre("", "a", ""));
  EXPECT_THAT(Split("a", '/'), ElementsAre("a"));
  EXPECT_THAT(Split("", '/'), ElementsAre(""));
}

TEST(TrimSpace, CutsBothEnds) {
  EXPECT_EQ(TrimSpace(" \t\r\n a b \v\f"), "a b");
  EXPECT_EQ(TrimSpace("a"), "a");
  EXPECT_EQ(TrimSpace(" \n "), "");
  EXPECT_EQ(TrimSpace(""), "");
}

TEST(ToLower, ChangesAsciiOnly) { EXPECT_EQ(ToLower("AbZ-09\u00c9"), "abz-09\u00c9"); }

TEST(Utf8, ReplacesEachInvalidByte) {
  const struct {
    std::string_view text;
    std::string_view replaced;
  } rows[] = {
      {"", ""},
      {"abc", "abc"},
      {"\u00e9\u20ac\U0001F600", "\u00e9\u20ac\U0001F600"},
      {"\xFF", "\uFFFD"},
      {"a\x80z", "a\uFFFDz"},
      {"\xC3", "\uFFFD"},
      {"\xC3(", "\uFFFD("},
      {"\xC0\xAF", "\uFFFD\uFFFD"},                      // overlong
      {"\xE0\x80\xAF", "\uFFFD\uFFFD\uFFFD"},            // overlong
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},            // surrogate
      {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},  // beyond U+10FFFF
      {"\xF0\x9F\x98", "\uFFFD\uFFFD\uFFFD"},            // truncated
  };
  for (const auto& row : rows) {
    EXPECT_EQ(IsValidUtf8(row.text), row.text == row.replaced);
    EXPECT_EQ(ReplaceInvalidUtf8(row.text), row.replaced);
  }
}

}  // namespace
}  // namespace berth
