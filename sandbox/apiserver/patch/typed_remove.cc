// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/patch/topology.h"
#include "sandbox/apiserver/patch/typed.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Returns null for a container that becomes empty, and for an atomic one with a field to remove.
json RemoveIn(const Schema& schema, const json& value, const FieldSet& fields) {
  const Shape shape = ShapeOf(schema, value);
  if (shape == Shape::kScalar) return value;
  if (!value.is_structured() || value.empty() || IsAtomic(schema, shape)) return nullptr;

  json kept = shape == Shape::kMap ? json::object() : json::array();
  const auto keep = [&](const PathElement& element, const Schema* type, const json& child,
                        const auto& put) {
    const FieldSet::Node* node = fields.Find(element);
    if (node != nullptr && node->is_member) return;
    const bool goes_on = node != nullptr && type != nullptr && !node->below.Empty();
    put(goes_on ? RemoveIn(*type, child, node->below) : child);
  };
  if (shape == Shape::kMap) {
    for (const auto& [key, child] : value.items())
      keep(PathElement::Field(key), schema.TypeOf(key), child,
           [&, &key = key](json rest) { kept[key] = std::move(rest); });
  } else {
    for (const json& item : value) {
      const auto element = ItemElement(schema, item);
      if (!element) continue;
      keep(*element, schema.items.schema, item,
           [&](json rest) { kept.push_back(std::move(rest)); });
    }
  }
  return kept.empty() ? json(nullptr) : kept;
}

}  // namespace

json RemoveFields(const Schema& schema, const json& document, const FieldSet& fields) {
  json kept = RemoveIn(schema, document, fields);
  return kept.is_null() ? json::object() : kept;
}

}  // namespace berth::apiserver
