// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "base/bool_text.h"
#include "base/strings.h"
#include "cel/convert.h"
#include "cel/cost.h"
#include "cel/libraries.h"

namespace berth::cel {
namespace {

constexpr double kInt64End = 9223372036854775808.0;
constexpr double kUint64End = 18446744073709551616.0;

Value Same(Arguments a) { return a[0]; }

Value CannotConvert(const Value& from, std::string_view to) {
  return Value::Error("type conversion error from '" + TypeOfValue(from)->name() + "' to '" +
                      std::string(to) + "'");
}

template <class T>
std::optional<T> ReadNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  T number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return number;
}

Value IntOfUint(Arguments a) {
  if (a[0].AsUint() > static_cast<uint64_t>(INT64_MAX)) return Value::Error("integer overflow");
  return Value::Int(static_cast<int64_t>(a[0].AsUint()));
}
Value IntOfDouble(Arguments a) {
  const double number = a[0].AsDouble();
  if (!(number > -kInt64End && number < kInt64End)) return Value::Error("integer overflow");
  return Value::Int(static_cast<int64_t>(number));
}
Value IntOfString(Arguments a) {
  const auto number = ReadNumber<int64_t>(a[0].AsString());
  return number ? Value::Int(*number) : CannotConvert(a[0], "int");
}
Value IntOfTimestamp(Arguments a) { return Value::Int(a[0].AsTimestamp().seconds); }
Value IntOfDuration(Arguments a) { return Value::Int(a[0].AsDuration().nanos); }

Value UintOfInt(Arguments a) {
  if (a[0].AsInt() < 0) return Value::Error("unsigned integer overflow");
  return Value::Uint(static_cast<uint64_t>(a[0].AsInt()));
}
Value UintOfDouble(Arguments a) {
  const double number = a[0].AsDouble();
  if (!(number >= 0 && number < kUint64End)) return Value::Error("unsigned integer overflow");
  return Value::Uint(static_cast<uint64_t>(number));
}
Value UintOfString(Arguments a) {
  const auto number = ReadNumber<uint64_t>(a[0].AsString());
  return number ? Value::Uint(*number) : CannotConvert(a[0], "uint");
}

Value DoubleOfInt(Arguments a) { return Value::Double(static_cast<double>(a[0].AsInt())); }
Value DoubleOfUint(Arguments a) { return Value::Double(static_cast<double>(a[0].AsUint())); }
Value DoubleOfString(Arguments a) {
  const std::string text(a[0].AsString());
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const bool has_blank = text.empty() || text[0] == ' ' || (text[0] >= '\t' && text[0] <= '\r');
  const bool is_beyond = std::isinf(number) && text.find_first_of("nN") == std::string::npos;
  if (has_blank || is_beyond || end != text.c_str() + text.size()) {
    return CannotConvert(a[0], "double");
  }
  return Value::Double(number);
}

Value StringOf(Arguments a) { return Value::String(ToText(a[0])); }
Value StringOfBytes(Arguments a) {
  if (!IsValidUtf8(a[0].AsBytes())) {
    return Value::Error("invalid UTF-8 in bytes, cannot convert to string");
  }
  return Value::String(std::string(a[0].AsBytes()));
}
Value BytesOfString(Arguments a) { return Value::Bytes(std::string(a[0].AsString())); }

Value BoolOfString(Arguments a) {
  const std::optional<bool> parsed = ParseBool(a[0].AsString());
  return parsed ? Value::Bool(*parsed) : CannotConvert(a[0], "bool");
}

Value DurationOfString(Arguments a) {
  const auto length = ParseDuration(a[0].AsString());
  return length ? Value::Of(*length) : CannotConvert(a[0], "google.protobuf.Duration");
}
Value TimestampOfString(Arguments a) {
  const auto point = ParseTimestamp(a[0].AsString());
  return point ? Value::Of(*point) : CannotConvert(a[0], "google.protobuf.Timestamp");
}
Value TimestampOfInt(Arguments a) {
  const Timestamp point{a[0].AsInt(), 0};
  if (point.seconds < kMinSeconds || point.seconds > kMaxSeconds) {
    return Value::Error("timestamp overflow");
  }
  return Value::Of(point);
}

Value TypeOfArgument(Arguments a) { return Value::Of(TypeOfValue(a[0])); }

constexpr FunctionRow kConversionRows[] = {
    {"bool(bool) -> bool", Same},
    {"bool(string) -> bool", BoolOfString},
    {"bytes(bytes) -> bytes", Same},
    {"bytes(string) -> bytes", BytesOfString, TraversalCost},
    {"double(double) -> double", Same},
    {"double(int) -> double", DoubleOfInt},
    {"double(string) -> double", DoubleOfString},
    {"double(uint) -> double", DoubleOfUint},
    {"duration(duration) -> duration", Same},
    {"duration(string) -> duration", DurationOfString},
    {"dyn(A) -> dyn", Same},
    {"int(int) -> int", Same},
    {"int(double) -> int", IntOfDouble},
    {"int(duration) -> int", IntOfDuration},
    {"int(string) -> int", IntOfString},
    {"int(timestamp) -> int", IntOfTimestamp},
    {"int(uint) -> int", IntOfUint},
    {"string(string) -> string", Same},
    {"string(bool) -> string", StringOf},
    {"string(bytes) -> string", StringOfBytes, TraversalCost},
    {"string(double) -> string", StringOf},
    {"string(duration) -> string", StringOf},
    {"string(int) -> string", StringOf},
    {"string(timestamp) -> string", StringOf},
    {"string(uint) -> string", StringOf},
    {"timestamp(timestamp) -> timestamp", Same},
    {"timestamp(int) -> timestamp", TimestampOfInt},
    {"timestamp(string) -> timestamp", TimestampOfString},
    {"type(A) -> type(A)", TypeOfArgument},
    {"uint(uint) -> uint", Same},
    {"uint(double) -> uint", UintOfDouble},
    {"uint(int) -> uint", UintOfInt},
    {"uint(string) -> uint", UintOfString},
};

}  // namespace

std::span<const FunctionRow> ConversionFunctions() { return kConversionRows; }

}  // namespace berth::cel
