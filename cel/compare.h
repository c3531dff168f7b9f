// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "cel/value.h"

// Equality and order across types, as defined by the language: numbers compare by value regardless
// of type, other values of different types are unequal.
namespace berth::cel {

// Maximum depth of lists and maps that Equals compares. Deeper values are unequal.
inline constexpr int kMaxCompareDepth = 500;

// Evaluates `==` for values that are not errors. NaN equals nothing.
bool Equals(const Value& a, const Value& b, int depth = 0);

// Compares two numbers, bools, strings, bytes, timestamps or durations. Returns nullopt for other
// pairs, and std::partial_ordering::unordered for NaN.
std::optional<std::partial_ordering> Compare(const Value& a, const Value& b);

// Returns equal text for equal keys (1, 1u and 1.0), or nullopt for a value that cannot be a key.
std::optional<std::string> MapKey(const Value& key);

}  // namespace berth::cel
