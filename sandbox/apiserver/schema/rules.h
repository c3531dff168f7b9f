// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <re2/re2.h>

namespace berth::apiserver {

// SchemaRules is what a schema asks of a value beyond its type. Private to this folder.
struct SchemaRules {
  std::vector<nlohmann::json> allowed;            // enum
  nlohmann::json minimum, maximum;                // numbers as written, or null
  std::optional<int64_t> min_length, max_length;  // in characters
  std::optional<int64_t> min_items, max_items;
  std::optional<int64_t> max_properties;
  std::string pattern;
  std::unique_ptr<const re2::RE2> regex;  // of `pattern`; Go's syntax is RE2's
};

}  // namespace berth::apiserver
