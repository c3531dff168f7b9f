// SPDX-License-Identifier: Apache-2.0
#include "engine/outside_text.h"

#include <algorithm>
#include <cstdint>

#include "base/strings.h"

namespace berth::engine {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::string_view kCut = "...";

size_t LengthOf(char first) {
  const auto byte = static_cast<uint8_t>(first);
  if (byte < 0x80) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

uint32_t CodePointOf(std::string_view character) {
  if (character.size() == 1) return static_cast<uint8_t>(character[0]);
  uint32_t code = static_cast<uint8_t>(character[0]) & (0xff >> (character.size() + 1));
  for (const char c : character.substr(1)) code = code << 6 | (static_cast<uint8_t>(c) & 0x3f);
  return code;
}

bool EndsLine(uint32_t code) {
  return (code >= '\t' && code <= '\r') || code == 0x85 || code == 0x2028 || code == 0x2029;
}

bool IsControl(uint32_t code) {
  const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
                     code == 0x200e || code == 0x200f || code == 0x061c;
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || turns;
}

std::string_view Shown(std::string_view character) {
  const uint32_t code = CodePointOf(character);
  if (EndsLine(code)) return " ";
  return IsControl(code) ? kReplacement : character;
}

}  // namespace

std::string OutsideText(std::string_view text) {
  // The rest is cut off anyway; so is a character split here.
  const std::string valid = ReplaceInvalidUtf8(text.substr(0, 2 * kMaxOutsideText));
  std::string line;
  size_t fits = 0;  // length of the text that leaves room for kCut
  for (size_t i = 0; i < valid.size() && line.size() <= kMaxOutsideText;) {
    const std::string_view character = std::string_view(valid).substr(i, LengthOf(valid[i]));
    line += Shown(character);
    i += character.size();
    if (line.size() <= kMaxOutsideText - kCut.size()) fits = line.size();
  }
  if (line.size() <= kMaxOutsideText && text.size() <= 2 * kMaxOutsideText) return line;
  line.resize(fits);
  line += kCut;
  return line;
}

}  // namespace berth::engine
