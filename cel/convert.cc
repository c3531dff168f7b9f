// SPDX-License-Identifier: Apache-2.0
#include "cel/convert.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "base/time.h"

namespace berth::cel {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int kLeastExponent = 6;  // %g writes 1e+06 and larger numbers with an exponent

// Appends nanoseconds as a fraction of a second without trailing zeros.
void AppendFraction(int64_t nanos, std::string& out) {
  if (nanos == 0) return;
  std::array<char, 16> digits{};
  std::snprintf(digits.data(), digits.size(), ".%09d", static_cast<int>(nanos));
  std::string_view text(digits.data());
  text = text.substr(0, text.find_last_not_of('0') + 1);
  out += text;
}

std::string ListText(const List& list) {
  std::string out = "[";
  for (size_t i = 0; i < list.Size(); ++i) {
    if (i > 0) out += ", ";
    out += ToText(list.At(i));
  }
  return out + "]";
}

std::string MapText(const Map& map) {
  std::string out = "{";
  for (const Value& key : map.Keys()) {
    if (out.size() > 1) out += ", ";
    out += ToText(key) + ": " + ToText(map.Find(key).value_or(Value()));
  }
  return out + "}";
}

}  // namespace

std::string DoubleText(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "+Inf" : "-Inf";
  std::array<char, 64> buffer;
  const auto shortest = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                      std::chars_format::scientific);
  std::string scientific(buffer.data(), shortest.ptr);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  if (exponent < -4 || exponent >= kLeastExponent) return scientific;
  const auto fixed =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
  return {buffer.data(), fixed.ptr};
}

std::string DurationText(Duration length) {
  std::string out;
  int64_t seconds = length.nanos / kNanosPerSecond;
  int64_t nanos = length.nanos % kNanosPerSecond;
  if (length.nanos < 0) {
    out = "-";
    seconds = -seconds;
    nanos = -nanos;
  }
  out += std::to_string(seconds);
  AppendFraction(nanos, out);
  return out + "s";
}

std::optional<Timestamp> ParseTimestamp(std::string_view text) {
  // The fraction is parsed here, the rest by Time with a precision of seconds. Time only covers
  // 1678 to 2261, so the year is shifted by whole 400-year calendar cycles, which keep weekdays and
  // leap years.
  constexpr int64_t kSecondsPerCycle = 146097LL * 86400;
  if (text.size() < 20 || text.find_first_of("tz") != std::string_view::npos) return std::nullopt;
  int year = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, year);
  if (error != std::errc() || end != text.data() + 4) return std::nullopt;
  const int cycles = (year - 1700 - (year < 1700 ? 399 : 0)) / 400;
  std::array<char, 8> moved{};
  std::snprintf(moved.data(), moved.size(), "%04d", year - cycles * 400);
  const auto time = Time::Parse(moved.data() + std::string(text.substr(4)));
  if (!time) return std::nullopt;
  const int64_t nanos = time->point().time_since_epoch().count();
  Timestamp point;
  point.seconds = time->UnixSeconds() + cycles * kSecondsPerCycle;
  point.nanos = static_cast<int32_t>(nanos - time->UnixSeconds() * kNanosPerSecond);
  if (point.seconds < kMinSeconds || point.seconds > kMaxSeconds) return std::nullopt;
  return point;
}

std::string TimestampText(Timestamp point) {
  using std::chrono::days;
  using std::chrono::seconds;
  const std::chrono::sys_seconds instant{seconds(point.seconds)};
  const auto day = std::chrono::floor<days>(instant);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(instant - day);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  std::string out(text.data());
  AppendFraction(point.nanos, out);
  return out + "Z";
}

std::optional<Duration> ParseDuration(std::string_view text) {
  const auto parsed = berth::Duration::Parse(text);
  if (!parsed) return std::nullopt;
  return Duration{parsed->length().count()};
}

std::string ToText(const Value& value) {
  switch (value.kind()) {
    case Kind::kError:
      return value.AsError().message;
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return value.AsBool() ? "true" : "false";
    case Kind::kInt:
      return std::to_string(value.AsInt());
    case Kind::kUint:
      return std::to_string(value.AsUint());
    case Kind::kDouble:
      return DoubleText(value.AsDouble());
    case Kind::kString:
      return std::string(value.AsString());
    case Kind::kBytes:
      return std::string(value.AsBytes());
    case Kind::kTimestamp:
      return TimestampText(value.AsTimestamp());
    case Kind::kDuration:
      return DurationText(value.AsDuration());
    case Kind::kList:
      return ListText(value.AsList());
    case Kind::kMap:
      return MapText(value.AsMap());
    case Kind::kType:
      return value.AsType()->name();
    case Kind::kOptional:
      return value.AsOptional() == nullptr ? "optional.none()"
                                           : "optional.of(" + ToText(*value.AsOptional()) + ")";
    default:
      return value.AsOpaque().ToString();
  }
}

}  // namespace berth::cel
