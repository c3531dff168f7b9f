// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "base/json/type.h"

namespace berth::crds {

// Bounds are the limits of one field. Lists, maps and strings without limits in their description
// get a general one, so that every part of our resources is bounded. The schema states the bounds
// for the API server; CheckBounds applies them here.
struct Bounds {
  int64_t max_items;        // of a list, entries of a map
  int64_t max_length;       // of a string, in characters
  int64_t item_max_length;  // of the strings in a list or map
};

inline constexpr Bounds kGeneralBounds{
    .max_items = 64, .max_length = 1024, .item_max_length = 1024};

Bounds BoundsOf(const json::FieldOptions& options);

// Patterns of values that are text on the wire, as in the schema. Our parsers accept more, such as
// a sign, which no field of ours may have.
inline constexpr std::string_view kDurationPattern =
    R"(^(0|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$)";
inline constexpr std::string_view kQuantityPattern =
    R"(^\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$)";

// Reports whether a text matches a field's pattern. Requires: `pattern` is from a description.
bool FitsPattern(std::string_view text, std::string_view pattern);

// Returns the keys of a list of type map; empty for other lists.
std::vector<std::string_view> MapKeys(const json::FieldOptions& options);

// Returns the allowed words of a field; empty if it allows any.
std::vector<std::string_view> Words(const json::FieldOptions& options);

// Returns all errors that the schema of `type` would report for `value`: missing required fields,
// numbers, quantities and lengths out of range, words not in the enum, pattern mismatches, repeated
// keys. Also rejects quantities of 2^63 or more, which the schema cannot express. Paths begin with
// `path`; an element of a list of type map is written list[name=x]. Does not check CEL rules.
std::vector<api::FieldError> CheckBounds(const json::Type& type, const void* value,
                                         std::string_view path);

}  // namespace berth::crds
