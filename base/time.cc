// SPDX-License-Identifier: Apache-2.0
#include "base/time.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/strings.h"

namespace berth {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

__extension__ using Int128 = __int128;

constexpr int64_t kNanoPerSecond = 1'000'000'000;

// Cursor reads a text from left to right. Each Take advances only on success.
struct Cursor {
  std::string_view rest;

  bool Take(char wanted) {
    if (!rest.starts_with(wanted)) return false;
    rest.remove_prefix(1);
    return true;
  }

  // Reads exactly `digits` digits with a value from low to high.
  std::optional<int> TakeNumber(size_t digits, int low, int high) {
    if (rest.size() < digits) return std::nullopt;
    int number = 0;
    for (const char c : rest.substr(0, digits)) {
      if (!IsDigit(c)) return std::nullopt;
      number = number * 10 + (c - '0');
    }
    if (number < low || number > high) return std::nullopt;
    rest.remove_prefix(digits);
    return number;
  }

  // Reads digits as a fraction of 1e9. Digits beyond the ninth are truncated.
  std::optional<int64_t> TakeFraction() {
    if (rest.empty() || !IsDigit(rest[0])) return std::nullopt;
    int64_t nano = 0;
    int64_t unit = kNanoPerSecond;
    while (!rest.empty() && IsDigit(rest[0])) {
      unit /= 10;
      nano += unit * (rest[0] - '0');
      rest.remove_prefix(1);
    }
    return nano;
  }
};

// Returns nanoseconds since 1970.
std::optional<Int128> ParseRfc3339(std::string_view text) {
  Cursor at{text};
  const auto year = at.TakeNumber(4, 0, 9999);
  if (!year || !at.Take('-')) return std::nullopt;
  const auto month = at.TakeNumber(2, 1, 12);
  if (!month || !at.Take('-')) return std::nullopt;
  const auto day = at.TakeNumber(2, 1, 31);
  if (!day || !(at.Take('T') || at.Take('t'))) return std::nullopt;
  const auto hour = at.TakeNumber(2, 0, 23);
  if (!hour || !at.Take(':')) return std::nullopt;
  const auto minute = at.TakeNumber(2, 0, 59);
  if (!minute || !at.Take(':')) return std::nullopt;
  const auto second = at.TakeNumber(2, 0, 59);
  if (!second) return std::nullopt;
  int64_t nano = 0;
  if (at.Take('.')) {
    const auto fraction = at.TakeFraction();
    if (!fraction) return std::nullopt;
    nano = *fraction;
  }
  int64_t offset = 0;  // seconds
  if (!at.Take('Z') && !at.Take('z')) {
    const int sign = at.Take('-') ? -1 : at.Take('+') ? 1 : 0;
    const auto hours = at.TakeNumber(2, 0, 23);
    if (sign == 0 || !hours || !at.Take(':')) return std::nullopt;
    const auto minutes = at.TakeNumber(2, 0, 59);
    if (!minutes) return std::nullopt;
    offset = sign * (*hours * 3600 + *minutes * 60);
  }
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok() || !at.rest.empty()) return std::nullopt;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const int64_t since_epoch = days * 86400 + *hour * 3600 + *minute * 60 + *second - offset;
  return Int128{since_epoch} * kNanoPerSecond + nano;
}

void AppendPadded(int64_t number, size_t width, std::string& out) {
  const std::string digits = std::to_string(number);
  out.append(width > digits.size() ? width - digits.size() : 0, '0');
  out += digits;
}

struct SplitTime {
  int64_t second;  // since 1970, rounded down
  int64_t nano;    // 0 to 999,999,999
};

// Replaces std::chrono::floor, which overflows within a second of the earliest point.
SplitTime SplitPoint(Time::TimePoint point) {
  const int64_t nano = nanoseconds(point.time_since_epoch()).count();
  SplitTime split{nano / kNanoPerSecond, nano % kNanoPerSecond};
  if (split.nano < 0) split = {split.second - 1, split.nano + kNanoPerSecond};
  return split;
}

// Appends a point without the closing "Z".
void AppendDateTime(std::chrono::sys_seconds point, std::string& out) {
  const auto day = std::chrono::floor<std::chrono::days>(point);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(point - day);
  AppendPadded(static_cast<int>(date.year()), 4, out);
  out += '-';
  AppendPadded(static_cast<unsigned>(date.month()), 2, out);
  out += '-';
  AppendPadded(static_cast<unsigned>(date.day()), 2, out);
  out += 'T';
  AppendPadded(clock.hours().count(), 2, out);
  out += ':';
  AppendPadded(clock.minutes().count(), 2, out);
  out += ':';
  AppendPadded(clock.seconds().count(), 2, out);
}

struct Unit {
  std::string_view text;
  int64_t nano;
};

constexpr std::array kUnits = {
    Unit{"ns", 1},
    Unit{"us", 1'000},
    Unit{"\u00b5s", 1'000},  // micro sign
    Unit{"\u03bcs", 1'000},  // Greek letter mu
    Unit{"ms", 1'000'000},
    Unit{"s", kNanoPerSecond},
    Unit{"m", 60 * kNanoPerSecond},
    Unit{"h", 3600 * kNanoPerSecond},
};

Failure BadDuration(std::string_view text, const std::string& why) {
  return ConfigError("duration \"" + std::string(text) + "\": " + why +
                     "; expected for example 15s, 1m30s or 100ms");
}

// Appends nano/unit with as many decimals as needed.
void AppendFraction(int64_t nano, int64_t unit, std::string& out) {
  out += std::to_string(nano / unit);
  int64_t rest = nano % unit;
  if (rest != 0) out += '.';
  while (rest != 0) {
    unit /= 10;
    out += static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
}

}  // namespace

Time Time::FromUnixSeconds(int64_t seconds_since_1970) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / kNanoPerSecond;
  return Time(TimePoint(seconds(std::clamp(seconds_since_1970, -kMost, kMost))));
}

Result<Time> Time::Parse(std::string_view text) {
  const auto nano = ParseRfc3339(text);
  if (!nano) {
    return ConfigError("time \"" + std::string(text) +
                       "\": expected RFC 3339, for example 2026-01-02T03:04:05Z");
  }
  // Go's zero time is 0001-01-01T00:00:00Z.
  constexpr Int128 kGoZero = Int128{-62135596800} * kNanoPerSecond;
  if (*nano == kGoZero) return Time();
  const Int128 low = std::numeric_limits<int64_t>::min();
  const Int128 high = std::numeric_limits<int64_t>::max();
  return Time(TimePoint(nanoseconds(static_cast<int64_t>(std::clamp(*nano, low, high)))));
}

int64_t Time::UnixSeconds() const { return SplitPoint(point_).second; }

std::string Time::ToString() const {
  std::string out;
  AppendDateTime(std::chrono::sys_seconds(seconds(UnixSeconds())), out);
  return out + 'Z';
}

std::string Time::ToMicroString() const {
  const auto [second, nano] = SplitPoint(point_);
  std::string out;
  AppendDateTime(std::chrono::sys_seconds(seconds(second)), out);
  out += '.';
  AppendPadded(nano / 1000, 6, out);
  return out + 'Z';
}

Result<MicroTime> MicroTime::Parse(std::string_view text) {
  BERTH_TRY(const Time time, Time::Parse(text));
  return MicroTime(time);
}

Result<Duration> Duration::Parse(std::string_view text) {
  Cursor at{text};
  const bool negative = at.Take('-');
  if (!negative) at.Take('+');
  if (at.rest == "0") return Duration();
  if (at.rest.empty()) return BadDuration(text, "no number");

  const Int128 most = Int128{std::numeric_limits<int64_t>::max()} + (negative ? 1 : 0);
  Int128 sum = 0;
  while (!at.rest.empty()) {
    Int128 whole = 0;
    size_t digits = 0;
    for (; digits < at.rest.size() && IsDigit(at.rest[digits]); ++digits) {
      whole = std::min<Int128>(whole * 10 + (at.rest[digits] - '0'), most + 1);
    }
    at.rest.remove_prefix(digits);
    int64_t fraction = 0;  // of 1e9
    if (at.Take('.')) {
      const auto taken = at.TakeFraction();
      if (!taken && digits == 0) return BadDuration(text, "a number without digits");
      fraction = taken.value_or(0);
    } else if (digits == 0) {
      return BadDuration(text, "a unit without a number");
    }
    const size_t length = std::min(at.rest.find_first_of(".0123456789"), at.rest.size());
    const std::string_view name = at.rest.substr(0, length);
    if (name.empty()) return BadDuration(text, "a number without a unit");
    const auto* const unit = std::find_if(kUnits.begin(), kUnits.end(),
                                          [&](const Unit& known) { return known.text == name; });
    if (unit == kUnits.end()) {
      return BadDuration(
          text, "unknown unit \"" + std::string(name) + "\", allowed are ns, us, ms, s, m, h");
    }
    at.rest.remove_prefix(length);
    sum += whole * unit->nano + Int128{fraction} * unit->nano / kNanoPerSecond;
    if (sum > most) return BadDuration(text, "longer than 292 years");
  }
  return Duration(nanoseconds(static_cast<int64_t>(negative ? -sum : sum)));
}

std::string Duration::ToString() const {
  const int64_t signed_nano = length_.count();
  if (signed_nano == 0) return "0s";
  if (signed_nano == std::numeric_limits<int64_t>::min()) return "-2562047h47m16.854775808s";
  const int64_t nano = signed_nano < 0 ? -signed_nano : signed_nano;
  std::string out = signed_nano < 0 ? "-" : "";
  if (nano < 1'000) return out + std::to_string(nano) + "ns";
  if (nano < 1'000'000) {
    AppendFraction(nano, 1'000, out);
    return out + "\u00b5s";
  }
  if (nano < kNanoPerSecond) {
    AppendFraction(nano, 1'000'000, out);
    return out + "ms";
  }
  const int64_t minutes = nano / (60 * kNanoPerSecond);
  if (minutes >= 60) out += std::to_string(minutes / 60) + "h";
  if (minutes > 0) out += std::to_string(minutes % 60) + "m";
  AppendFraction(nano % (60 * kNanoPerSecond), kNanoPerSecond, out);
  return out + "s";
}

}  // namespace berth
