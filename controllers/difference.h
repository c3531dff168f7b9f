// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth::controllers {

// FirstDifference compares the fields that `desired` states with those of `live`, both JSON text,
// and gives the path of the first that differs ("spec.replicas"); nothing when all are there.
// Fields that only `live` has belong to others and do not count, except in maps that the API server
// replaces whole (selectors). In lists that the API server
// merges by key (containers, volumes, …) entries of others do not count either; any other list
// has to be equal in length and order.
std::optional<std::string> FirstDifference(std::string_view desired, std::string_view live);

// MergePatch gives the JSON Merge Patch (RFC 7386) that turns `from` into `to`; "{}" when they are
// equal. Requires: both are JSON objects without null values.
std::string MergePatch(std::string_view from, std::string_view to);

}  // namespace berth::controllers
