// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/type.h"

namespace berth::controllers {

// ArgumentReference describes one field of a plugin's arguments and the fields below it.
struct ArgumentReference {
  std::string name;
  std::string type;  // "integer", "list of object", …
  std::string description;
  bool required = false;
  json::Raw default_;  // empty: none stated
  std::vector<std::string> one_of;
  std::optional<int64_t> minimum;
  std::optional<int64_t> maximum;
  std::vector<ArgumentReference> fields;  // of an object, or of the objects in a list or map

  static const json::Type& JsonType();
};

// Describes the fields of a struct in their order. A type that contains itself is described once.
std::vector<ArgumentReference> ArgumentsOf(const json::Type& type);

}  // namespace berth::controllers
