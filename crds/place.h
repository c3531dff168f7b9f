// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "api/apiextensions.h"
#include "api/field_error.h"
#include "base/json/field_path.h"

namespace berth::crds {

// Place is a part of a document: its path, its value and its schema. Requires: document and schema
// outlive it.
struct Place {
  std::string path;
  const nlohmann::json* value = nullptr;         // null: absent
  const api::JsonSchemaProps* schema = nullptr;  // null: unknown
  std::optional<std::string> key = {};           // of a map, if the place is the key of an entry
  int depth = 0;                                 // number of members and entries on the path

  // Returns the place of a member of an object.
  Place Member(std::string_view name) const;

  // Returns the place of an element of a list. In a list of type map it is written list[name=x].
  Place Element(size_t index) const;

  // Returns the places of all elements of a list, or of all keys of a map.
  std::vector<Place> Entries() const;

  // Returns an error with the value that is here. Lists and objects are shown while they are short.
  api::FieldError ErrorOf(std::string message) const;
};

// ProfileJson is a SchedulerProfile as JSON. It outlives the places in it.
class ProfileJson {
 public:
  // Requires: valid JSON.
  explicit ProfileJson(std::string_view text);

  Place root() const;

  // Returns the text of a path with the list entries by their keys:
  // "spec.deployment.env[name=A].nam".
  std::string KeyedPath(std::span<const json::PathStep> steps) const;

 private:
  std::shared_ptr<const nlohmann::json> document_;
};

// Returns the schema of a SchedulerProfile.
const api::JsonSchemaProps& SchemaOfProfile();

}  // namespace berth::crds
