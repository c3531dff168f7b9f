// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "base/json/type.h"

namespace berth::crds {

// Bounds are the limits of one field: those its description states, and for lists, maps and strings
// it does not limit a general one, so that every part of our resources is bounded. The schema
// states them to the API server; CheckBounds applies them here.
struct Bounds {
  int64_t max_items;        // of a list, entries of a map
  int64_t max_length;       // of a string, in characters
  int64_t item_max_length;  // of the strings in a list or map
};

inline constexpr Bounds kGeneralBounds{
    .max_items = 64, .max_length = 1024, .item_max_length = 1024};

Bounds BoundsOf(const json::FieldOptions& options);

// Patterns of values that are text on the wire, as the schema has them. Our parsers read more, such
// as a sign, which no field of ours may have.
inline constexpr std::string_view kDurationPattern =
    R"(^(0|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$)";
inline constexpr std::string_view kQuantityPattern =
    R"(^\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$)";

// FitsPattern says whether a text has the form that a field's pattern asks for. Requires: `pattern`
// is a described one.
bool FitsPattern(std::string_view text, std::string_view pattern);

// MapKeys gives the keys of a list of named things, or nothing for another list.
std::vector<std::string_view> MapKeys(const json::FieldOptions& options);

// Words gives the words that a field allows, or nothing when it allows any.
std::vector<std::string_view> Words(const json::FieldOptions& options);

// CheckBounds gives every mistake that the schema made from `type` would refuse in `value`: missing
// required fields, numbers, amounts and lengths out of range, words that are not allowed, patterns,
// repeated keys; and amounts of 2^63 or more, which it cannot tell. Paths begin with `path`; an element of a list of named things is written list[name=x]. CEL
// rules are not checked here.
std::vector<api::FieldError> CheckBounds(const json::Type& type, const void* value,
                                         std::string_view path);

}  // namespace berth::crds
