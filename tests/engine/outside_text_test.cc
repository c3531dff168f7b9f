// SPDX-License-Identifier: Apache-2.0
#include "engine/outside_text.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/strings.h"

namespace berth::engine {
namespace {

TEST(OutsideText, IsOneLineWithoutControlCharacters) {
  const std::string gone = "\xef\xbf\xbd";
  const std::vector<std::pair<std::string, std::string>> table = {
      {"", ""},
      {"plain: \"quoted\" ü € 😀", "plain: \"quoted\" ü € 😀"},
      {"a\nb\r\nc\td\ve\ff", "a b  c d e f"},
      {std::string("a\0b", 3), "a" + gone + "b"},
      {"\x1b[31m\x7f\x01", gone + "[31m" + gone + gone},
      {"\xc2\x80\xc2\x9f\xc2\xa0", gone + gone + "\xc2\xa0"},
      {"\xc2\x85\xe2\x80\xa8\xe2\x80\xa9", "   "},
      {"\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c", gone + gone + gone + gone},
      {"\xff\xc0\xaf\xed\xa0\x80", gone + gone + gone + gone + gone + gone}};
  for (const auto& [text, shown] : table) EXPECT_EQ(OutsideText(text), shown);
}

TEST(OutsideText, IsAtMostOneKibibyte) {
  EXPECT_EQ(OutsideText(std::string(1024, 'a')), std::string(1024, 'a'));
  EXPECT_EQ(OutsideText(std::string(1025, 'a')), std::string(1021, 'a') + "...");
  EXPECT_EQ(OutsideText(std::string(1 << 20, 'a')), std::string(1021, 'a') + "...");
  for (size_t shift = 0; shift < 4; ++shift) {
    std::string text(shift, 'a');
    while (text.size() < 5000) text += "😀";
    const std::string shown = OutsideText(text);
    EXPECT_LE(shown.size(), kMaxOutsideText);
    EXPECT_GT(shown.size(), kMaxOutsideText - 8);
    EXPECT_TRUE(IsValidUtf8(shown));
    EXPECT_TRUE(shown.ends_with("😀...")) << shift;
  }
  EXPECT_LE(OutsideText(std::string(700, '\x01')).size(), kMaxOutsideText) << "it grows";
}

}  // namespace
}  // namespace berth::engine
