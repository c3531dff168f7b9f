// SPDX-License-Identifier: Apache-2.0
#include "http/encoding.h"

namespace berth::http {
namespace {

bool IsUnreserved(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

}  // namespace

std::string PercentEncode(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const unsigned char c : text) {
    if (IsUnreserved(c)) {
      encoded += static_cast<char>(c);
    } else {
      encoded += '%';
      encoded += kHex[c >> 4];
      encoded += kHex[c & 15];
    }
  }
  return encoded;
}

QueryBuilder& QueryBuilder::Add(std::string_view name, std::string_view value) {
  text_ += text_.empty() ? '?' : '&';
  text_ += PercentEncode(name);
  text_ += '=';
  text_ += PercentEncode(value);
  return *this;
}

QueryBuilder& QueryBuilder::AddIf(std::string_view name, std::string_view value) {
  return value.empty() ? *this : Add(name, value);
}

}  // namespace berth::http
