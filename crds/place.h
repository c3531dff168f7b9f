// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "api/apiextensions.h"
#include "api/field_error.h"

namespace berth::crds {

// Place is a part of a document: its path, its value and its schema. Requires: document and schema
// outlive it.
struct Place {
  std::string path;
  const nlohmann::json* value = nullptr;         // null: absent
  const api::JsonSchemaProps* schema = nullptr;  // null: unknown
  std::string key = {};                          // of a map, if the place is the key of an entry
  int depth = 0;                                 // number of members and entries on the path

  // Returns the place of a member of an object.
  Place Member(std::string_view name) const;

  // Returns the places of all elements of a list, or of all keys of a map. An element of a list of
  // type map is written list[name=x].
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

  // Returns a field path with the list entries by their keys: "spec.deployment.env[0].nam" becomes
  // "spec.deployment.env[name=A].nam". Requires: the path leads to a member of the document.
  std::string KeyedPath(std::string_view path) const;

 private:
  std::shared_ptr<const nlohmann::json> document_;
};

// Returns the schema of a SchedulerProfile.
const api::JsonSchemaProps& SchemaOfProfile();

}  // namespace berth::crds
