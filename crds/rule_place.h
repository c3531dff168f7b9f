// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "api/field_error.h"
#include "cel/budget.h"
#include "cel/program.h"

namespace berth::crds {

// Place is a part of a document: its path, its value and its schema. Requires: document and schema
// outlive it.
struct Place {
  std::string path;
  const nlohmann::json* value = nullptr;  // null: absent
  const nlohmann::json* schema = nullptr;
  std::string key = {};  // of a map, if the place is the key of an entry
  int depth = 0;         // number of members and entries on the path

  // Returns the place of a member of an object.
  Place Member(std::string_view name) const;

  // Returns the places of all elements of a list, or of all keys of a map. An element of a list of
  // type map is written list[name=x].
  std::vector<Place> Entries() const;

  // Returns an error with the value that is here. Lists and objects are shown while they are short.
  api::FieldError ErrorOf(std::string message) const;
};

// Returns the places that make a rule on `self` false: those that the first failing condition
// reads, in every element that fails. Of the places that a condition reads it is the deepest, then
// the first. Conditions before the last `||` are preconditions. Examples:
//
//   self.all(e, !e.name.matches('^LD_'))        env[name=LD_PRELOAD].name
//   !has(self.max) || self.max >= self.initial  max
//   has(self.image) && self.image != ''         image
//
// Never empty. Requires: the rule is not true for `self`.
std::vector<Place> PlacesThatBreak(const cel::Program& rule, const Place& self,
                                   const cel::TypePtr& type_of_self, cel::Budget& budget);

}  // namespace berth::crds
