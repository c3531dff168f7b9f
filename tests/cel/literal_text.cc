// SPDX-License-Identifier: Apache-2.0
#include "tests/cel/literal_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "cel/convert.h"

namespace berth::cel {
namespace {

std::string Quoted(std::string_view text) {
  constexpr std::string_view kEscaped = "\"\\\a\b\f\n\r\t\v";
  constexpr std::string_view kLetters = "\"\\abfnrtv";
  std::string out = "\"";
  for (const char c : text) {
    const size_t place = kEscaped.find(c);
    if (place != std::string_view::npos) out += '\\';
    out += place == std::string_view::npos ? c : kLetters[place];
  }
  return out + '"';
}

std::string DoubleLiteral(double number) {
  if (std::isnan(number)) return "double(\"NaN\")";
  if (std::isinf(number)) return number > 0 ? "double(\"Infinity\")" : "double(\"-Infinity\")";
  std::array<char, 400> buffer;
  const auto written =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
  const std::string text(buffer.data(), written.ptr);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string Octal(std::string_view bytes) {
  std::string out = "b\"";
  for (const char c : bytes) {
    std::array<char, 8> escape{};
    std::snprintf(escape.data(), escape.size(), "\\%03o",
                  static_cast<unsigned>(static_cast<uint8_t>(c)));
    out += escape.data();
  }
  return out + '"';
}

std::string ListText(const List& list) {
  std::string out = "[";
  for (size_t i = 0; i < list.Size(); ++i) {
    if (i > 0) out += ", ";
    out += LiteralText(list.At(i));
  }
  return out + "]";
}

std::string MapText(const Map& map) {
  std::vector<std::string> entries;
  for (const Value& key : map.Keys()) {
    entries.push_back(LiteralText(key) + ": " + LiteralText(map.Find(key).value_or(Value())));
  }
  std::sort(entries.begin(), entries.end());
  std::string out = "{";
  for (const std::string& entry : entries) {
    if (out.size() > 1) out += ", ";
    out += entry;
  }
  return out + "}";
}

}  // namespace

std::string LiteralText(const Value& value) {
  switch (value.kind()) {
    case Kind::kUint:
      return ToText(value) + "u";
    case Kind::kDouble:
      return DoubleLiteral(value.AsDouble());
    case Kind::kString:
      return Quoted(value.AsString());
    case Kind::kBytes:
      return Octal(value.AsBytes());
    case Kind::kTimestamp:
      return "timestamp(\"" + ToText(value) + "\")";
    case Kind::kDuration:
      return "duration(\"" + ToText(value) + "\")";
    case Kind::kList:
      return ListText(value.AsList());
    case Kind::kMap:
      return MapText(value.AsMap());
    case Kind::kOptional:
      return value.AsOptional() == nullptr
                 ? "optional.none()"
                 : "optional.of(" + LiteralText(*value.AsOptional()) + ")";
    default:
      return ToText(value);
  }
}

}  // namespace berth::cel
