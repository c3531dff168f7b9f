// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cel/convert.h"
#include "cel/cost.h"
#include "cel/libraries.h"
#include "cel/limits.h"
#include "cel/unicode.h"

namespace berth::cel {
namespace {

Value OutOfRange(int64_t index) {
  return Value::Error("index out of range: " + std::to_string(index));
}

Value TextTooLong() {
  return Value::Error("string exceeds the size limit of " + std::to_string(kMaxTextBytes));
}

Value Contains(Arguments a) {
  return Value::Bool(FindText(a[0].AsString(), a[1].AsString()) != std::string_view::npos);
}
Value StartsWith(Arguments a) { return Value::Bool(a[0].AsString().starts_with(a[1].AsString())); }
Value EndsWith(Arguments a) { return Value::Bool(a[0].AsString().ends_with(a[1].AsString())); }

Value CharAt(Arguments a) {
  const std::u32string points = ToCodePoints(a[0].AsString());
  const int64_t index = a[1].AsInt();
  if (index < 0 || static_cast<uint64_t>(index) > points.size()) return OutOfRange(index);
  return Value::String(
      FromCodePoints(std::u32string_view(points).substr(static_cast<size_t>(index), 1)));
}

// Returns the number of bytes in the first `points` code points, or all bytes if there are fewer.
size_t BytesOf(std::string_view text, int64_t points) {
  std::string_view rest = text;
  for (; points > 0 && !rest.empty(); --points) NextCodePoint(rest);
  return text.size() - rest.size();
}

// Returns the index of the code point at a byte, -1 for npos.
Value PointsBefore(std::string_view text, size_t byte) {
  if (byte == std::string_view::npos) return Value::Int(-1);
  return Value::Int(static_cast<int64_t>(CountCodePoints(text.substr(0, byte))));
}

Value IndexOf(Arguments a) {
  const std::string_view text = a[0].AsString();
  const int64_t offset = a.size() > 2 ? a[2].AsInt() : 0;
  if (a[1].AsString().empty()) return Value::Int(offset);
  if (offset < 0) return OutOfRange(offset);
  return PointsBefore(text, FindText(text, a[1].AsString(), BytesOf(text, offset)));
}

Value LastIndexOf(Arguments a) {
  std::string_view text = a[0].AsString();
  const std::string_view wanted = a[1].AsString();
  const auto size = static_cast<int64_t>(CountCodePoints(text));
  const int64_t offset = a.size() > 2 ? a[2].AsInt() : size;
  if (wanted.empty()) return Value::Int(offset);
  if (offset < 0) return OutOfRange(offset);
  if (a.size() > 2 && offset >= size) return Value::Int(-1);
  // Searches the reversed text: its first match is the last match in the text.
  text = text.substr(0, std::min(BytesOf(text, offset) + wanted.size(), text.size()));
  const std::string backwards(text.rbegin(), text.rend());
  const size_t found = FindText(backwards, std::string(wanted.rbegin(), wanted.rend()));
  if (found == std::string::npos) return Value::Int(-1);
  return PointsBefore(text, text.size() - found - wanted.size());
}

template <char first, char last, int shift>
Value ShiftLetters(Arguments a) {
  std::string text(a[0].AsString());
  for (char& c : text) {
    if (c >= first && c <= last) c = static_cast<char>(c + shift);
  }
  return Value::String(std::move(text));
}

// Replaces the first `limit` occurrences, or all if `limit` is negative. An empty text occurs
// before each code point and at the end.
Value ReplaceFirst(std::string_view text, std::string_view old, std::string_view with,
                   int64_t limit) {
  std::string out;
  const auto append = [&](std::string_view part) {
    out += part;
    return out.size() <= kMaxTextBytes;
  };
  for (; limit != 0; --limit) {
    const size_t found = FindText(text, old);
    if (found == std::string_view::npos) break;
    if (!append(text.substr(0, found)) || !append(with)) return TextTooLong();
    text.remove_prefix(found + old.size());
    if (!old.empty()) continue;
    if (text.empty()) break;
    const std::string_view before = text;
    NextCodePoint(text);
    append(before.substr(0, before.size() - text.size()));
  }
  return append(text) ? Value::String(std::move(out)) : TextTooLong();
}
Value Replace(Arguments a) {
  return ReplaceFirst(a[0].AsString(), a[1].AsString(), a[2].AsString(),
                      a.size() > 3 ? a[3].AsInt() : -1);
}

// Returns at most `limit` parts, or all if `limit` is negative. An empty separator splits between
// code points.
Value Split(Arguments a) {
  std::string_view text = a[0].AsString();
  const std::string_view separator = a[1].AsString();
  const int64_t limit = a.size() > 2 ? a[2].AsInt() : -1;
  std::vector<Value> parts;
  if (limit == 0) return Value::ListOf(std::move(parts));
  const auto add = [&](std::string_view part) {
    parts.push_back(Value::String(std::string(part)));
  };
  while (limit < 0 || static_cast<int64_t>(parts.size()) + 1 < limit) {
    if (separator.empty()) {
      if (text.empty()) return Value::ListOf(std::move(parts));
      const std::string_view before = text;
      NextCodePoint(text);
      add(before.substr(0, before.size() - text.size()));
      continue;
    }
    const size_t found = FindText(text, separator);
    if (found == std::string_view::npos) break;
    add(text.substr(0, found));
    text.remove_prefix(found + separator.size());
  }
  if (!separator.empty() || !text.empty()) add(text);
  return Value::ListOf(std::move(parts));
}

Value Substring(Arguments a) {
  const std::u32string points = ToCodePoints(a[0].AsString());
  const auto size = static_cast<int64_t>(points.size());
  const int64_t start = a[1].AsInt();
  const int64_t end = a.size() > 2 ? a[2].AsInt() : size;
  if (a.size() > 2 && start > end) {
    return Value::Error("invalid substring range. start: " + std::to_string(start) +
                        ", end: " + std::to_string(end));
  }
  if (start < 0 || start > size) return OutOfRange(start);
  if (end < 0 || end > size) return OutOfRange(end);
  return Value::String(FromCodePoints(std::u32string_view(points).substr(
      static_cast<size_t>(start), static_cast<size_t>(end - start))));
}

bool IsSpace(char32_t point) {
  return (point >= 0x09 && point <= 0x0D) || point == 0x20 || point == 0x85 || point == 0xA0 ||
         point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
         point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}
Value Trim(Arguments a) {
  const std::u32string points = ToCodePoints(a[0].AsString());
  const auto first = std::find_if_not(points.begin(), points.end(), IsSpace);
  const auto last = std::find_if_not(points.rbegin(), std::make_reverse_iterator(first), IsSpace);
  return Value::String(FromCodePoints(std::u32string(first, last.base())));
}

Value Join(Arguments a) {
  const List& list = a[0].AsList();
  std::string out;
  for (size_t i = 0; i < list.Size(); ++i) {
    if (i > 0 && a.size() > 1) out += a[1].AsString();
    const Value part = list.At(i);
    if (!part.Is(Kind::kString)) return Value::Error("join: invalid input: " + ToText(part));
    out += part.AsString();
    if (out.size() > kMaxTextBytes) return TextTooLong();
  }
  return Value::String(std::move(out));
}

Value Quote(Arguments a) {
  constexpr std::string_view kEscaped = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kLetters = "abfnrtv\\\"";
  std::string out = "\"";
  for (const char c : FromCodePoints(ToCodePoints(a[0].AsString()))) {
    const size_t place = kEscaped.find(c);
    if (place == std::string_view::npos) {
      out += c;
    } else {
      out += '\\';
      out += kLetters[place];
    }
  }
  return Value::String(out + '"');
}

uint64_t ContainsCost(Arguments a, const Value& /*result*/) {
  return TextCost(SizeOf(a[0])) * TextCost(SizeOf(a[1]));
}
uint64_t AffixCost(Arguments a, const Value& /*result*/) { return TextCost(SizeOf(a[1])); }
uint64_t JoinCost(Arguments /*a*/, const Value& result) { return TextCost(SizeOf(result), 2); }

// Cost of a walk over the searched text, in bytes, rounded down.
uint64_t TextSearchCost(Arguments a, const Value& /*result*/) {
  return a[0].AsString().size() / 10;
}

constexpr FunctionRow kStringsRows[] = {
    {"(string).contains(string) -> bool", Contains, ContainsCost},
    {"(string).endsWith(string) -> bool", EndsWith, AffixCost},
    {"(string).startsWith(string) -> bool", StartsWith, AffixCost},
    {"(string).charAt(int) -> string", CharAt},
    {"(string).indexOf(string) -> int", IndexOf, TextSearchCost, true},
    {"(string).indexOf(string, int) -> int", IndexOf, TextSearchCost, true},
    {"(string).lastIndexOf(string) -> int", LastIndexOf, TextSearchCost, true},
    {"(string).lastIndexOf(string, int) -> int", LastIndexOf, TextSearchCost, true},
    {"(string).lowerAscii() -> string", ShiftLetters<'A', 'Z', 32>, TraversalCost, true},
    {"(string).upperAscii() -> string", ShiftLetters<'a', 'z', -32>, TraversalCost, true},
    {"(string).replace(string, string) -> string", Replace, TwiceTraversalCost, true},
    {"(string).replace(string, string, int) -> string", Replace, TwiceTraversalCost, true},
    {"(string).split(string) -> list(string)", Split, TwiceTraversalCost, true},
    {"(string).split(string, int) -> list(string)", Split, TwiceTraversalCost, true},
    {"(string).substring(int) -> string", Substring, TraversalCost, true},
    {"(string).substring(int, int) -> string", Substring, TraversalCost, true},
    {"(string).trim() -> string", Trim, TraversalCost, true},
    {"(list(string)).join() -> string", Join, JoinCost, true},
    {"(list(string)).join(string) -> string", Join, JoinCost, true},
    {"strings.quote(string) -> string", Quote, TraversalCost},
};

}  // namespace

std::span<const FunctionRow> StringFunctions() { return kStringsRows; }

}  // namespace berth::cel
