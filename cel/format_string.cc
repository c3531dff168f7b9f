// SPDX-License-Identifier: Apache-2.0
#include "cel/format_string.h"

#include <charconv>

namespace berth::cel {
namespace {

constexpr int kDefaultPrecision = 6;
constexpr int kMaxPrecision = 100;
constexpr std::string_view kLetters = "sdfebxXo";

// ReadPrecision takes ".digits" from the front, if it is there. Gives an error text.
std::string ReadPrecision(std::string_view& rest, int& precision) {
  if (!rest.starts_with('.')) return "";
  rest.remove_prefix(1);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), precision);
  if (error != std::errc() || precision < 0 || precision > kMaxPrecision) {
    return "could not parse formatting clause: error while parsing precision: expected digits, at "
           "most " +
           std::to_string(kMaxPrecision);
  }
  rest.remove_prefix(static_cast<size_t>(end - rest.data()));
  return "";
}

}  // namespace

FormatString ParseFormatString(std::string_view text) {
  FormatString format;
  std::string literal;
  while (!text.empty()) {
    const size_t percent = std::min(text.find('%'), text.size());
    literal += text.substr(0, percent);
    text.remove_prefix(percent);
    if (text.starts_with("%%")) {
      literal += '%';
      text.remove_prefix(2);
    } else if (!text.empty()) {
      text.remove_prefix(1);
      int precision = kDefaultPrecision;
      format.error = ReadPrecision(text, precision);
      if (format.error.empty() && text.empty()) format.error = "unexpected end of string";
      if (format.error.empty() && kLetters.find(text[0]) == std::string_view::npos) {
        format.error = "could not parse formatting clause: unrecognized formatting clause \"" +
                       std::string(text.substr(0, 1)) + "\"";
      }
      if (!format.error.empty()) return format;
      format.clauses.push_back({std::move(literal), text[0], precision});
      literal.clear();
      text.remove_prefix(1);
    }
  }
  format.tail = std::move(literal);
  return format;
}

std::string ClauseProblem(char letter, Kind kind, std::string_view type_name) {
  if (kind == Kind::kDyn || kind == Kind::kError) return "";
  const auto allow = [&](std::initializer_list<Kind> kinds, std::string_view problem) {
    for (const Kind allowed : kinds) {
      if (allowed == kind) return std::string();
    }
    return std::string(problem) + ", was given " + std::string(type_name);
  };
  switch (letter) {
    case 'd':
      return allow({Kind::kInt, Kind::kUint}, "decimal clause can only be used on integers");
    case 'f':
      return allow({Kind::kDouble}, "fixed-point clause can only be used on doubles");
    case 'e':
      return allow({Kind::kDouble}, "scientific clause can only be used on doubles");
    case 'b':
      return allow({Kind::kInt, Kind::kUint, Kind::kBool},
                   "only integers and bools can be formatted as binary");
    case 'x':
    case 'X':
      return allow({Kind::kInt, Kind::kUint, Kind::kString, Kind::kBytes},
                   "only integers, byte buffers, and strings can be formatted as hex");
    case 'o':
      return allow({Kind::kInt, Kind::kUint}, "octal clause can only be used on integers");
    default:
      return allow(
          {Kind::kNull, Kind::kBool, Kind::kInt, Kind::kUint, Kind::kDouble, Kind::kString,
           Kind::kBytes, Kind::kTimestamp, Kind::kDuration, Kind::kList, Kind::kMap, Kind::kType},
          "string clause can only be used on strings, bools, bytes, ints, doubles, maps, "
          "lists, types, durations, and timestamps");
  }
}

}  // namespace berth::cel
