// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "cel/convert.h"
#include "cel/cost.h"
#include "cel/format_string.h"
#include "cel/libraries.h"
#include "cel/limits.h"

namespace berth::cel {
namespace {

constexpr int kMaxDepth = 100;  // of lists and maps shown; what nests deeper is cut to "..."

std::string Fixed(double number, int precision) {
  std::array<char, 512> buffer;
  const int size = std::snprintf(buffer.data(), buffer.size(), "%.*f", precision, number);
  return {buffer.data(), static_cast<size_t>(size)};
}

// GroupThousands puts commas between groups of three digits of the whole part, as en_US does.
std::string GroupThousands(const std::string& number) {
  const size_t begin = number[0] == '-' ? 1 : 0;
  const size_t end = std::min(number.find('.'), number.size());
  std::string out = number.substr(0, begin);
  for (size_t i = begin; i < end; ++i) {
    if (i > begin && (end - i) % 3 == 0) out += ',';
    out += number[i];
  }
  return out + number.substr(end);
}

std::string ShowNotFinite(double number) {
  if (std::isnan(number)) return "NaN";
  return number > 0 ? "\u221e" : "-\u221e";
}

// Scientific writes 1.500000×10⁰³. The precision does not count: cel-go takes it for the least
// width.
std::string Scientific(double number) {
  constexpr std::array<std::string_view, 10> kRaised = {"\u2070", "\u00b9", "\u00b2", "\u00b3",
                                                        "\u2074", "\u2075", "\u2076", "\u2077",
                                                        "\u2078", "\u2079"};
  std::array<char, 512> buffer;
  const int size = std::snprintf(buffer.data(), buffer.size(), "%e", number);
  const std::string text(buffer.data(), static_cast<size_t>(size));
  const size_t e = text.find('e');
  std::string out = text.substr(0, e) + "\u00d710";
  for (const char c : text.substr(e + 1)) {
    if (c == '-') out += "\u207b";
    if (c >= '0' && c <= '9') out += kRaised[static_cast<size_t>(c - '0')];
  }
  return out;
}

std::string Based(const Value& value, int base) {
  std::array<char, 72> buffer;
  char* const end = buffer.data() + buffer.size();
  const auto written = value.Is(Kind::kInt)
                           ? std::to_chars(buffer.data(), end, value.AsInt(), base)
                           : std::to_chars(buffer.data(), end, value.AsUint(), base);
  return {buffer.data(), written.ptr};
}

std::string HexOf(const Value& value) {
  if (value.Is(Kind::kInt) || value.Is(Kind::kUint)) return Based(value, 16);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : value.Is(Kind::kString) ? value.AsString() : value.AsBytes()) {
    out += kDigits[static_cast<uint8_t>(c) >> 4];
    out += kDigits[static_cast<uint8_t>(c) & 0xF];
  }
  return out;
}

std::string QuotedText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string Nested(const Value& value, int depth);

std::string ShowList(const List& list, int depth) {
  std::string out = "[";
  for (size_t i = 0; i < list.Size() && out.size() <= kMaxTextBytes; ++i) {
    if (i > 0) out += ", ";
    out += Nested(list.At(i), depth + 1);
  }
  return out + "]";
}

std::string ShowMap(const Map& map, int depth) {
  std::vector<std::string> entries;
  for (const Value& key : map.Keys()) {
    entries.push_back(Nested(key, depth + 1) + ":" +
                      Nested(map.Find(key).value_or(Value()), depth + 1));
  }
  std::sort(entries.begin(), entries.end());
  std::string out = "{";
  for (const std::string& entry : entries) {
    if (out.size() > 1) out += ", ";
    out += entry;
  }
  return out + "}";
}

// Nested shows what stands in a list or a map, as a literal.
std::string Nested(const Value& value, int depth) {
  if (depth > kMaxDepth) return "...";
  switch (value.kind()) {
    case Kind::kDouble:
      return std::isfinite(value.AsDouble()) ? Fixed(value.AsDouble(), 6)
                                             : QuotedText(ShowNotFinite(value.AsDouble()));
    case Kind::kString:
      return QuotedText(value.AsString());
    case Kind::kBytes:
      return "b" + QuotedText(value.AsBytes());
    case Kind::kTimestamp:
      return "timestamp(\"" + ToText(value) + "\")";
    case Kind::kDuration:
      return "duration(\"" + ToText(value) + "\")";
    case Kind::kList:
      return ShowList(value.AsList(), depth);
    case Kind::kMap:
      return ShowMap(value.AsMap(), depth);
    default:
      return ToText(value);
  }
}

std::string Show(const FormatClause& clause, const Value& value) {
  switch (clause.letter) {
    case 'd':
      return Based(value, 10);
    case 'f':
      return std::isfinite(value.AsDouble())
                 ? GroupThousands(Fixed(value.AsDouble(), clause.precision))
                 : ShowNotFinite(value.AsDouble());
    case 'e':
      return std::isfinite(value.AsDouble()) ? Scientific(value.AsDouble())
                                             : ShowNotFinite(value.AsDouble());
    case 'b':
      return value.Is(Kind::kBool) ? (value.AsBool() ? "1" : "0") : Based(value, 2);
    case 'o':
      return Based(value, 8);
    case 'x':
      return HexOf(value);
    case 'X': {
      std::string hex = HexOf(value);
      std::transform(hex.begin(), hex.end(), hex.begin(), [](char c) {
        return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
      });
      return hex;
    }
    default:
      return value.Is(Kind::kList) || value.Is(Kind::kMap) ? Nested(value, 0) : ToText(value);
  }
}

Value Format(Arguments a) {
  const FormatString format = ParseFormatString(a[0].AsString());
  const List& shown = a[1].AsList();
  std::string out;
  for (size_t i = 0; i < format.clauses.size(); ++i) {
    if (i >= shown.Size()) return Value::Error("index " + std::to_string(i) + " out of range");
    const FormatClause& clause = format.clauses[i];
    const Value value = shown.At(i);
    const std::string problem =
        ClauseProblem(clause.letter, value.kind(), TypeOfValue(value)->name());
    if (!problem.empty()) return Value::Error("error during formatting: " + problem);
    out += clause.before + Show(clause, value);
    if (out.size() > kMaxTextBytes) {
      return Value::Error("string exceeds the size limit of " + std::to_string(kMaxTextBytes));
    }
  }
  if (!format.error.empty()) return Value::Error(format.error);
  return Value::String(out + format.tail);
}

constexpr FunctionRow kRows[] = {
    {"(string).format(list(dyn)) -> string", Format, TraversalCost},
};

}  // namespace

std::span<const FunctionRow> FormatFunctions() { return kRows; }

}  // namespace berth::cel
