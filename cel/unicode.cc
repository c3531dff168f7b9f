// SPDX-License-Identifier: Apache-2.0
#include "cel/unicode.h"

#include <cstring>

namespace berth::cel {
namespace {

bool IsValidPoint(char32_t point) {
  return point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
}

}  // namespace

char32_t NextCodePoint(std::string_view& text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  size_t length = 1;
  char32_t point = lead;
  char32_t least = 0;
  if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    point = lead & 0x07;
    least = 0x10000;
  } else if (lead >= 0xE0 && lead < 0xF0) {
    length = 3;
    point = lead & 0x0F;
    least = 0x800;
  } else if (lead >= 0xC2 && lead < 0xE0) {
    length = 2;
    point = lead & 0x1F;
    least = 0x80;
  } else if (lead >= 0x80) {
    point = kReplacement;
  }
  bool valid = length <= text.size();
  for (size_t i = 1; valid && i < length; ++i) {
    valid = (byte(i) & 0xC0) == 0x80;
    point = point << 6 | (byte(i) & 0x3F);
  }
  if (!valid || (length > 1 && (point < least || !IsValidPoint(point)))) {
    length = 1;
    point = kReplacement;
  }
  text.remove_prefix(length);
  return point;
}

size_t FindText(std::string_view text, std::string_view wanted, size_t from) {
  if (from > text.size()) return std::string_view::npos;
  const void* const found =
      memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

size_t CountCodePoints(std::string_view text) {
  // Most strings are entirely ASCII.
  constexpr uint64_t kBeyondAscii = 0x8080808080808080;
  size_t count = 0;
  for (uint64_t eight = 0; count + sizeof(eight) <= text.size(); count += sizeof(eight)) {
    std::memcpy(&eight, text.data() + count, sizeof(eight));
    if ((eight & kBeyondAscii) != 0) break;
  }
  while (count < text.size() && static_cast<uint8_t>(text[count]) < 0x80) ++count;
  text.remove_prefix(count);
  for (; !text.empty(); ++count) NextCodePoint(text);
  return count;
}

std::u32string ToCodePoints(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  while (!text.empty()) points += NextCodePoint(text);
  return points;
}

std::string FromCodePoints(std::u32string_view points) {
  std::string text;
  text.reserve(points.size());
  for (const char32_t point : points) AppendUtf8(point, text);
  return text;
}

void AppendUtf8(char32_t point, std::string& out) {
  if (!IsValidPoint(point)) point = kReplacement;
  const auto append = [&](char32_t bits) { out += static_cast<char>(bits); };
  if (point < 0x80) {
    append(point);
  } else if (point < 0x800) {
    append(0xC0 | point >> 6);
    append(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    append(0xE0 | point >> 12);
    append(0x80 | (point >> 6 & 0x3F));
    append(0x80 | (point & 0x3F));
  } else {
    append(0xF0 | point >> 18);
    append(0x80 | (point >> 12 & 0x3F));
    append(0x80 | (point >> 6 & 0x3F));
    append(0x80 | (point & 0x3F));
  }
}

}  // namespace berth::cel
