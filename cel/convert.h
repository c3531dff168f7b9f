// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace berth::cel {

// Formats a value for messages: strings without quotes, other values as literals.
std::string ToText(const Value& value);

// Formats a double like Go's %g: the shortest digits that parse to the same value, "1e+06" from a
// million on.
std::string DoubleText(double number);

// Formats a duration as seconds with a fraction: "5400s", "1.5s".
std::string DurationText(Duration length);

// ParseTimestamp parses RFC 3339 with any offset. It returns nullopt for invalid text and for years
// outside 1 to 9999. TimestampText writes UTC with as many decimals as needed.
std::optional<Timestamp> ParseTimestamp(std::string_view text);
std::string TimestampText(Timestamp point);

std::optional<Duration> ParseDuration(std::string_view text);

// The first and the last second of the timestamp range, since 1970.
inline constexpr int64_t kMinSeconds = -62135596800;
inline constexpr int64_t kMaxSeconds = 253402300799;

}  // namespace berth::cel
