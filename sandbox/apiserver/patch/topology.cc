// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/topology.h"

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"

namespace berth::apiserver {

using nlohmann::json;

Shape ShapeOf(const Schema& schema, const json& value) {
  switch (schema.type) {
    case ValueType::kObject:
      return Shape::kMap;
    case ValueType::kArray:
      return Shape::kList;
    case ValueType::kAny:
      if (schema.format == "quantity") return Shape::kScalar;
      if (value.is_array()) return Shape::kList;
      return value.is_object() || value.is_null() ? Shape::kMap : Shape::kScalar;
    default:
      return Shape::kScalar;
  }
}

bool HasShape(const json& value, Shape shape) {
  if (shape == Shape::kScalar) return !value.is_structured();
  return value.empty() || (shape == Shape::kMap ? value.is_object() : value.is_array());
}

bool IsAtomic(const Schema& schema, Shape shape) {
  if (shape == Shape::kMap) return schema.map_type == MapType::kAtomic;
  return shape == Shape::kScalar || schema.list_type == ListType::kAtomic;
}

Result<PathElement> ItemElement(const Schema& list, const json& item) {
  if (list.list_type == ListType::kSet) {
    if (item.is_object())
      return Fail(Reason::kInvalid,
                  "associative list without keys has an element that's a map type");
    if (item.is_array())
      return Fail(Reason::kInvalid, "not supported: associative list with lists as elements");
    if (item.is_null())
      return Fail(Reason::kInvalid,
                  "associative list without keys has an element that's an explicit null");
    return PathElement::Value(item);
  }
  if (item.is_null())
    return Fail(Reason::kInvalid, "associative list with keys may not have a null element");
  if (!item.is_object())
    return Fail(Reason::kInvalid, "associative list with keys may not have non-map elements");
  json keys = json::object();
  for (const std::string& key : list.list_map_keys) {
    if (const auto at = item.find(key); at != item.end()) {
      keys[key] = *at;
    } else if (const Slot* slot = list.items.schema->FindProperty(key);
               slot != nullptr && slot->default_value != nullptr) {
      keys[key] = *slot->default_value;
    }
  }
  if (keys.empty())
    return Fail(Reason::kInvalid,
                "associative list with keys has an element that omits all key "
                "fields " +
                    DocumentText(json(list.list_map_keys)) +
                    " (and doesn't have default values for any key fields)");
  return PathElement::Key(keys);
}

}  // namespace berth::apiserver
