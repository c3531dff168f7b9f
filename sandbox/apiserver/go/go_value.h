// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace berth::apiserver {

// Messages show some values as Go writes structs of Kubernetes' internal types, which have no names
// for JSON: all fields, in the order of the struct, by their Go names.
struct GoField {
  std::string_view name;                 // "MinAvailable"
  std::string_view key;                  // in the document: "minAvailable"
  std::string_view zero = "null";        // text of an absent value
  std::span<const GoField> fields = {};  // of a value that is such a struct, or a list of them
};

// GoText is that text for an object.
std::string GoText(const nlohmann::json& value, std::span<const GoField> fields);

}  // namespace berth::apiserver
