// SPDX-License-Identifier: Apache-2.0
#include "http/crypto/base64.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

TEST(Base64, DecodesWhatItEncodes) {
  const std::string bytes("\x00\xff\xfe plain", 9);
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const std::string text = bytes.substr(0, size);
    EXPECT_EQ(Base64Decode(Base64Encode(text)), text) << size;
    EXPECT_EQ(Base64UrlDecode(Base64UrlEncode(text)), text) << size;
  }
  EXPECT_EQ(Base64Encode("\xfb\xff"), "+/8=");
  EXPECT_EQ(Base64UrlEncode("\xfb\xff"), "-_8");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text : {"a", "ab", "abc", "a===", "ab=c", "-_8="})
    EXPECT_EQ(Base64Decode(text), std::nullopt) << text;
  for (const char* text : {"a", "ab==", "+/8"})
    EXPECT_EQ(Base64UrlDecode(text), std::nullopt) << text;
}

}  // namespace
}  // namespace berth::http
