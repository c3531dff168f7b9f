// SPDX-License-Identifier: Apache-2.0
#include "base/strings.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace berth {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Returns the length of the ASCII prefix, rounded down to a multiple of eight.
size_t AsciiPrefix(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  size_t at = 0;
  for (uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
    std::memcpy(&eight, text.data() + at, sizeof eight);
    if ((eight & kHighBits) != 0) break;
  }
  return at;
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// Returns the number of inserts, deletes, replacements and swaps of neighbours (optimal string
// alignment).
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

template <class Text>
std::optional<std::string> Nearest(std::string_view word, std::span<const Text> candidates) {
  constexpr size_t kMaxEdits = 4;
  constexpr size_t kMaxLength = 256;  // longer words are not typing errors, and would be slow
  if (word.size() > kMaxLength) return std::nullopt;
  const std::string wanted = ToLower(word);
  std::optional<std::string> nearest;
  size_t fewest = kMaxEdits + 1;
  for (const Text& candidate : candidates) {
    if (candidate.size() > kMaxLength) continue;
    const size_t edits = EditDistance(wanted, ToLower(candidate));
    if (edits > std::max(wanted.size(), candidate.size()) / 3 || edits >= fewest) continue;
    fewest = edits;
    nearest = std::string(candidate);
  }
  return nearest;
}

template <class Text>
std::string JoinParts(std::span<const Text> parts, std::string_view separator) {
  std::string out;
  for (const Text& part : parts) {
    if (&part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

// Returns the length of the valid UTF-8 sequence at the front of `text`, or 0. Requires:
// !text.empty().
size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  // The range of the second byte excludes overlong forms, surrogates and code points above
  // U+10FFFF.
  size_t length = 0;
  uint8_t low = 0x80;
  uint8_t high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  }
  if (length == 0 || text.size() < length || byte(1) < low || byte(1) > high) return 0;
  for (size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return length;
}

}  // namespace

std::optional<std::string> NearestName(std::string_view word,
                                       std::span<const std::string> candidates) {
  return Nearest(word, candidates);
}

std::optional<std::string> NearestName(std::string_view word,
                                       std::span<const std::string_view> candidates) {
  return Nearest(word, candidates);
}

std::string Join(std::span<const std::string> parts, std::string_view separator) {
  return JoinParts(parts, separator);
}

std::string Join(std::span<const std::string_view> parts, std::string_view separator) {
  return JoinParts(parts, separator);
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string Quote(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string_view TrimSpace(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), Lower);
  return lower;
}

bool IsValidUtf8(std::string_view text) {
  for (text.remove_prefix(AsciiPrefix(text)); !text.empty();) {
    const size_t length = Utf8Length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string ReplaceInvalidUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    out += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

}  // namespace berth
