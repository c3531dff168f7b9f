// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <compare>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json/scalar.h"

namespace berth {

// Time is a point of wall time in UTC, written as metav1.Time: RFC 3339 in seconds,
// "2026-01-02T03:04:05Z". For intervals and deadlines use std::chrono::steady_clock (base/clock.h);
// wall time may jump.
//
// The zero Time (1970-01-01T00:00:00Z; Go's zero time also parses to it) means "not set" and is
// omitted on encoding. Memory holds nanoseconds. Points outside 1677 to 2262 are clamped. A value
// type; any thread may use it.
class Time {
 public:
  using TimePoint = std::chrono::system_clock::time_point;

  static constexpr json::ScalarFormat kFormat = json::ScalarFormat::kDateTime;

  constexpr Time() = default;
  constexpr explicit Time(TimePoint point) : point_(point) {}
  static Time FromUnixSeconds(int64_t seconds);

  // Parses RFC 3339 with any offset, with or without a fraction. Errors (kConfig) contain the text
  // and an example.
  static Result<Time> Parse(std::string_view text);

  constexpr TimePoint point() const { return point_; }
  int64_t UnixSeconds() const;  // rounded down
  constexpr bool IsZero() const { return point_ == TimePoint{}; }
  constexpr bool IsEmpty() const { return IsZero(); }

  std::string ToString() const;       // 2026-01-02T03:04:05Z, fraction truncated
  std::string ToMicroString() const;  // 2026-01-02T03:04:05.000006Z, always six digits

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time operator+(std::chrono::nanoseconds wait) const { return Time(point_ + wait); }
  constexpr Time operator-(std::chrono::nanoseconds wait) const { return Time(point_ - wait); }
  constexpr std::chrono::nanoseconds operator-(const Time& other) const {
    return point_ - other.point_;
  }

 private:
  TimePoint point_{};
};

// MicroTime is a Time written in microseconds, as metav1.MicroTime, for Leases and Events.
class MicroTime {
 public:
  static constexpr json::ScalarFormat kFormat = json::ScalarFormat::kDateTime;

  constexpr MicroTime() = default;
  constexpr explicit MicroTime(Time time) : time_(time) {}
  static Result<MicroTime> Parse(std::string_view text);

  constexpr Time time() const { return time_; }
  constexpr bool IsZero() const { return time_.IsZero(); }
  constexpr bool IsEmpty() const { return time_.IsZero(); }
  std::string ToString() const { return time_.ToMicroString(); }

  constexpr auto operator<=>(const MicroTime&) const = default;

 private:
  Time time_;
};

// Duration is a length of time in Go's notation, as metav1.Duration: "15s", "1m30s", "100ms",
// "1h0m0s". Units: ns, us (or µs), ms, s, m, h. Zero is the empty value; use std::optional if "0s"
// and absent differ.
class Duration {
 public:
  static constexpr json::ScalarFormat kFormat = json::ScalarFormat::kDuration;

  constexpr Duration() = default;
  // Converts any std::chrono duration that nanoseconds represent exactly; implicit on purpose.
  template <class Rep, class Period>
  requires std::convertible_to<std::chrono::duration<Rep, Period>, std::chrono::nanoseconds>
  constexpr Duration(std::chrono::duration<Rep, Period> length) : length_(length) {}  // NOLINT

  // Parses a signed sum of numbers with units; only "0" needs no unit. Digits below a nanosecond
  // are truncated. Errors (kConfig) name the cause: syntax, a missing or an unknown unit, or a
  // length beyond 292 years.
  static Result<Duration> Parse(std::string_view text);

  constexpr std::chrono::nanoseconds length() const { return length_; }
  constexpr operator std::chrono::nanoseconds() const { return length_; }  // NOLINT
  double Seconds() const { return std::chrono::duration<double>(length_).count(); }
  constexpr bool IsEmpty() const { return length_.count() == 0; }

  std::string ToString() const;  // "1m30s", "1.5s", "100ms", "0s": as Go prints

  constexpr auto operator<=>(const Duration&) const = default;

 private:
  std::chrono::nanoseconds length_{0};
};

}  // namespace berth
