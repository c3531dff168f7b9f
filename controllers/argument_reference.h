// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/type.h"

namespace berth::controllers {

// ArgumentReference is what can be said of one field of a plugin's arguments, and of those below it.
struct ArgumentReference {
  std::string name;
  std::string type;  // "integer", "list of object", …
  std::string description;
  bool required = false;
  json::Raw default_;  // "" where none is stated
  std::vector<std::string> one_of;
  std::optional<int64_t> minimum;
  std::optional<int64_t> maximum;
  std::vector<ArgumentReference> fields;  // of an object, of the objects of a list or map

  static const json::Type& JsonType();
};

// ArgumentsOf describes the fields of a struct, in their order; those of a type that contains itself
// once.
std::vector<ArgumentReference> ArgumentsOf(const json::Type& type);

}  // namespace berth::controllers
