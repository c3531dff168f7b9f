// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/patch/topology.h"
#include "sandbox/apiserver/patch/typed.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Collects the fields below a place; returns true if the place itself is a leaf.
bool CollectFields(const Schema& schema, const json& value, FieldSet* below);

void CollectMap(const Schema& schema, const json& map, FieldSet* fields) {
  for (auto at = map.begin(); at != map.end(); ++at) {
    const Schema* type = schema.TypeOf(at.key());
    if (type == nullptr) continue;
    FieldSet below;
    bool is_member = CollectFields(*type, *at, &below);
    // Declared fields exist through their content; map entries, nulls and empty objects by
    // themselves.
    is_member |= at->is_null() || (at->is_object() && at->empty()) ||
                 schema.FindProperty(at.key()) == nullptr;
    fields->Append(PathElement::Field(at.key()), is_member, std::move(below));
  }
}

void CollectList(const Schema& schema, const json& list, FieldSet* fields) {
  std::map<PathElement, std::vector<const json*>> names;
  for (const json& item : list)
    if (const auto element = ItemElement(schema, item)) names[*element].push_back(&item);
  for (const auto& [element, items] : names) {
    FieldSet below;
    if (items.size() == 1) CollectFields(*schema.items.schema, *items[0], &below);
    fields->Append(element, true, std::move(below));
  }
}

bool CollectFields(const Schema& schema, const json& value, FieldSet* below) {
  const Shape shape = ShapeOf(schema, value);
  if (IsAtomic(schema, shape)) return true;
  if (value.is_object()) CollectMap(schema, value, below);
  if (value.is_array()) CollectList(schema, value, below);
  return false;
}

}  // namespace

FieldSet FieldsOf(const Schema& schema, const json& document) {
  FieldSet fields;
  CollectFields(schema, document, &fields);
  return fields;
}

}  // namespace berth::apiserver
