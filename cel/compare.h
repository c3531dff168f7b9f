// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "cel/value.h"

// Equality and order across types, as the language defines them: numbers compare by what they are
// worth whatever their type, other values of different types are different.
namespace berth::cel {

// Deepest nesting of lists and maps that Equals looks into; what nests deeper is not equal.
inline constexpr int kMaxCompareDepth = 500;

// Equals is `==` for values that are no errors. NaN equals nothing.
bool Equals(const Value& a, const Value& b, int depth = 0);

// Compare orders numbers among each other, and two bools, strings, bytes, timestamps or durations.
// Nothing for other pairs; std::partial_ordering::unordered when a NaN is involved.
std::optional<std::partial_ordering> Compare(const Value& a, const Value& b);

// MapKey is the same text for keys that are equal (1, 1u and 1.0), or nothing for a value that
// cannot be a key.
std::optional<std::string> MapKey(const Value& key);

}  // namespace berth::cel
