// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/regex.h"

namespace berth::apiserver {

// SchemaRules are the constraints of a schema on a value, besides its type. Private to this folder.
struct SchemaRules {
  std::vector<nlohmann::json> allowed;            // enum
  nlohmann::json minimum, maximum;                // numbers as written, or null
  std::optional<int64_t> min_length, max_length;  // in characters
  std::optional<int64_t> min_items, max_items;
  std::optional<int64_t> max_properties;
  std::string pattern;
  std::shared_ptr<const Regex> regex;  // of `pattern`
};

}  // namespace berth::apiserver
