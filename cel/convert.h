// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace berth::cel {

// ToText writes a value for messages: strings bare, the rest as literals.
std::string ToText(const Value& value);

// DoubleText writes a double as Go's %g does: the shortest digits that read back the same,
// "1e+06" from a million on.
std::string DoubleText(double number);

// DurationText writes seconds with their fraction, "5400s", "1.5s".
std::string DurationText(Duration length);

// ParseTimestamp reads RFC 3339 with any offset; nothing when the text is none or lies outside the
// years 1 to 9999. TimestampText writes UTC with as many decimals as needed.
std::optional<Timestamp> ParseTimestamp(std::string_view text);
std::string TimestampText(Timestamp point);

std::optional<Duration> ParseDuration(std::string_view text);

// Seconds since 1970 of the first and last instant a timestamp may be.
inline constexpr int64_t kMinSeconds = -62135596800;
inline constexpr int64_t kMaxSeconds = 253402300799;

}  // namespace berth::cel
