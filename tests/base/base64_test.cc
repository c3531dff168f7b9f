// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Base64, DecodesWhatItEncodes) {
  const std::string bytes("\x00\xff\xfe plain", 9);
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const std::string text = bytes.substr(0, size);
    EXPECT_EQ(DecodeBase64(EncodeBase64(text)), text) << size;
    EXPECT_EQ(DecodeBase64Url(EncodeBase64Url(text)), text) << size;
  }
  EXPECT_EQ(EncodeBase64("\xfb\xff"), "+/8=");
  EXPECT_EQ(EncodeBase64Url("\xfb\xff"), "-_8");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text :
       {"a", "ab", "abc", "a===", "ab=c", "-_8=", "QQ=", "QQ===", "QUJD=", "Q*==", "QQ==QQ=="}) {
    EXPECT_FALSE(DecodeBase64(text)) << text;
    EXPECT_FALSE(DecodeBase64(text, Blanks::kSkipped)) << text;
  }
  for (const char* text : {"a", "ab==", "+/8"})
    EXPECT_EQ(DecodeBase64Url(text), std::nullopt) << text;
}

TEST(Base64, SkipsBlanksWhereTheyAreAllowed) {
  EXPECT_EQ(DecodeBase64("QUJD\r\n\tRE VG\n", Blanks::kSkipped), "ABCDEF");
  EXPECT_EQ(DecodeBase64("QQ =\n=", Blanks::kSkipped), "A");
  EXPECT_EQ(DecodeBase64("", Blanks::kSkipped), "");
  EXPECT_FALSE(DecodeBase64("QUJD\nREVG"));
}

TEST(Base64, SaysWhereATextIsWrong) {
  EXPECT_EQ(DecodeBase64("QUJD?").error().message(),
            "not base64: unexpected character at position 5");
  EXPECT_EQ(DecodeBase64("QUI").error().message(), "not base64: the text is cut off");
  EXPECT_EQ(DecodeBase64("QQ=").error().message(), "not base64: the text is cut off");
}

// The positions are those of Go's encoding/base64.
TEST(Base64, GivesTheFirstBadPositionAsGoDoes) {
  struct Case {
    const char* text;
    std::optional<size_t> bad;
  };
  const Case cases[] = {
      {"", {}},     {"QUJD", {}}, {"QU\r\nJD\n", {}}, {"QQ==", {}}, {"QUI=\n", {}},
      {"QU JD", 2}, {"*", 0},     {"QUI", 0},         {"QUJDQ", 4}, {"Q===", 1},
      {"QQ=", 3},   {"QQ=A", 2},  {"QQ==A", 4},       {"QUI=A", 4}, {"=", 0},
  };
  for (const Case& c : cases) EXPECT_EQ(FirstBadBase64(c.text), c.bad) << c.text;
}

}  // namespace
}  // namespace berth
