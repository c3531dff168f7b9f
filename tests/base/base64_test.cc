// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Base64, DecodesItsOwnEncoding) {
  const std::string bytes("\x00\xff\xfe plain", 9);
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const std::string text = bytes.substr(0, size);
    EXPECT_EQ(DecodeBase64(EncodeBase64(text)), text) << size;
    EXPECT_EQ(DecodeBase64Url(EncodeBase64Url(text)), text) << size;
  }
  EXPECT_EQ(EncodeBase64("\xfb\xff"), "+/8=");
  EXPECT_EQ(EncodeBase64Url("\xfb\xff"), "-_8");
}

TEST(Base64, RejectsInvalidText) {
  for (const char* text :
       {"a", "ab", "abc", "a===", "ab=c", "-_8=", "QQ=", "QQ===", "QUJD=", "Q*==", "QQ==QQ=="}) {
    EXPECT_FALSE(DecodeBase64(text)) << text;
    EXPECT_FALSE(DecodeBase64(text, Whitespace::kSkipped)) << text;
  }
  for (const char* text : {"a", "ab==", "+/8"})
    EXPECT_EQ(DecodeBase64Url(text), std::nullopt) << text;
}

TEST(Base64, SkipsBlanksIfAllowed) {
  EXPECT_EQ(DecodeBase64("QUJD\r\n\tRE VG\n", Whitespace::kSkipped), "ABCDEF");
  EXPECT_EQ(DecodeBase64("QQ =\n=", Whitespace::kSkipped), "A");
  EXPECT_EQ(DecodeBase64("", Whitespace::kSkipped), "");
  EXPECT_FALSE(DecodeBase64("QUJD\nREVG"));
}

TEST(Base64, ErrorNamesThePosition) {
  EXPECT_EQ(DecodeBase64("QUJD?").error().message(),
            "not base64: unexpected character at position 5");
  EXPECT_EQ(DecodeBase64("QUI").error().message(), "not base64: the text is cut off");
  EXPECT_EQ(DecodeBase64("QQ=").error().message(), "not base64: the text is cut off");
}

}  // namespace
}  // namespace berth
