// SPDX-License-Identifier: Apache-2.0
#include "client/base64.h"

#include <cstdint>

namespace berth::client {

Result<std::string> DecodeBase64(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  uint32_t bits = 0;
  size_t digits = 0;
  size_t padding = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
    const size_t value = kAlphabet.find(c);
    if (c == '=' && digits % 4 + padding >= 2) {
      ++padding;
      continue;
    }
    if (value == std::string_view::npos || padding > 0) {
      return ConfigError("not base64: unexpected character at position " + std::to_string(i + 1));
    }
    bits = bits << 6 | static_cast<uint32_t>(value);
    if (digits++ % 4 != 0) bytes += static_cast<char>(bits >> (6 - 2 * ((digits - 1) % 4)));
  }
  if ((digits + padding) % 4 != 0) return ConfigError("not base64: the text is cut off");
  return bytes;
}

}  // namespace berth::client
