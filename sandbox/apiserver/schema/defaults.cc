// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/defaults.h"

#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

bool IsForbiddenNull(const json& value, const Slot& slot) {
  return value.is_null() && !slot.schema->nullable && slot.empty != EmptyForm::kNull;
}

bool IsZeroDefault(const json& value) {
  return value.is_null() || (value.is_structured() && value.empty()) || value == "" || value == 0 ||
         value == false;
}

// A default that Go would omit again is ignored.
bool HasDefault(const Slot& slot) {
  return slot.default_value != nullptr &&
         !(slot.empty == EmptyForm::kDropped && IsZeroDefault(*slot.default_value));
}

void DefaultSlot(const Slot& slot, json* value) {
  if (IsForbiddenNull(*value, slot) && slot.default_value != nullptr) *value = *slot.default_value;
  Default(*slot.schema, value);
}

void DefaultObject(const Schema& schema, json* value) {
  for (const Slot& slot : schema.properties) {
    if (HasDefault(slot) && !value->contains(slot.name)) (*value)[slot.name] = *slot.default_value;
  }
  for (auto at = value->begin(); at != value->end();) {
    const Slot* slot = schema.SlotOf(at.key());
    if (slot == nullptr) {
      ++at;
    } else if (IsForbiddenNull(*at, *slot) && slot->default_value == nullptr) {
      at = value->erase(at);
    } else {
      DefaultSlot(*slot, &*at);
      ++at;
    }
  }
}

// Go writes fields with an empty default: a struct, "" and 0 without omitempty, a nil.
bool IsWrittenEmpty(const Slot& slot) {
  return slot.default_value != nullptr && slot.empty != EmptyForm::kDropped &&
         IsZeroDefault(*slot.default_value);
}

}  // namespace

void Default(const Schema& schema, json* document) {
  if (document->is_object()) {
    DefaultObject(schema, document);
  } else if (document->is_array() && schema.items) {
    for (json& item : *document) DefaultSlot(schema.items, &item);
  }
}

json EmptyObject(const Schema& schema) {
  json object = json::object();
  if (schema.name.empty()) return object;
  for (const Slot& slot : schema.properties) {
    if (!IsWrittenEmpty(slot)) continue;
    object[slot.name] =
        slot.default_value->is_object() ? EmptyObject(*slot.schema) : json(*slot.default_value);
  }
  return object;
}

}  // namespace berth::apiserver
