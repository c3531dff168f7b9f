// SPDX-License-Identifier: Apache-2.0
#include "http/crypto/base64.h"

#include <array>
#include <cstdint>

namespace berth::http {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string Encode(std::string_view bytes, std::string_view alphabet, bool pad) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = bytes.size() - i;
    const auto at = [&](size_t k) {
      return k < left ? static_cast<uint32_t>(static_cast<unsigned char>(bytes[i + k])) : 0U;
    };
    const uint32_t group = at(0) << 16 | at(1) << 8 | at(2);
    for (size_t k = 0; k < 4; ++k) {
      if (k <= left)
        out += alphabet[group >> (18 - 6 * k) & 63];
      else if (pad)
        out += '=';
    }
  }
  return out;
}

std::optional<std::string> Decode(std::string_view text, std::string_view alphabet) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const size_t value = alphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 255);
  }
  return out;
}

}  // namespace

std::string Base64Encode(std::string_view bytes) { return Encode(bytes, kStandard, true); }

std::string Base64UrlEncode(std::string_view bytes) { return Encode(bytes, kUrl, false); }

std::optional<std::string> Base64Decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  text.remove_suffix(padding);
  return Decode(text, kStandard);
}

std::optional<std::string> Base64UrlDecode(std::string_view text) { return Decode(text, kUrl); }

}  // namespace berth::http
