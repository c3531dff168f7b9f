// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/schema/validate.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

api::FieldError Duplicate(const std::string& path, size_t i, const json& value) {
  return {api::FieldError::Type::kDuplicate, api::Index(path, i), DocumentText(value), {}};
}

// A duplicate value is reported once, at its second position.
void CheckOnce(const json& identity, const std::string& path, size_t i, std::map<json, int>* seen,
               std::vector<api::FieldError>* errors) {
  if (++(*seen)[identity] == 2) errors->push_back(Duplicate(path, i, identity));
}

void CheckList(const Schema& schema, const json& list, const std::string& path,
               std::vector<api::FieldError>* errors) {
  std::map<json, int> seen;
  for (size_t i = 0; i < list.size(); ++i) {
    const json& item = list[i];
    if (schema.list_type == ListType::kSet) {
      CheckOnce(item, path, i, &seen, errors);
    } else if (item.is_object()) {
      json keys = json::object();
      for (const std::string& key : schema.list_map_keys)
        if (const auto at = item.find(key); at != item.end()) keys[key] = *at;
      CheckOnce(keys, path, i, &seen, errors);
    } else if (!item.is_null()) {
      errors->push_back(
          api::FieldError::InvalidJson(api::Index(path, i), DocumentText(item),
                                       "must be an object for an array of list-type map"));
    }
  }
}

}  // namespace

const json* CorrelatedItem(const Schema& list, const json& item, const json* old) {
  const bool has_keys = list.list_type == ListType::kMap && !list.list_map_keys.empty();
  if (!has_keys || old == nullptr || !old->is_array() || !item.is_object()) return nullptr;
  const auto same = [&](const json& other) {
    return other.is_object() &&
           std::all_of(list.list_map_keys.begin(), list.list_map_keys.end(),
                       [&](const std::string& key) {
                         return other.value(key, json()) == item.value(key, json());
                       });
  };
  const auto found = std::find_if(old->begin(), old->end(), same);
  return found == old->end() ? nullptr : &*found;
}

void ValidateLists(const Schema& schema, const json& value, const std::string& path,
                   std::vector<api::FieldError>* errors) {
  if (value.is_array()) {
    if (schema.list_type != ListType::kAtomic) CheckList(schema, value, path, errors);
    if (!schema.items) return;
    for (size_t i = 0; i < value.size(); ++i)
      ValidateLists(*schema.items.schema, value[i], api::Index(path, i), errors);
  } else if (value.is_object()) {
    for (const auto& [key, field] : value.items()) {
      if (const Slot* property = schema.FindProperty(key)) {
        ValidateLists(*property->schema, field, path.empty() ? key : api::Child(path, key), errors);
      } else if (schema.additional) {
        ValidateLists(*schema.additional.schema, field, path + '[' + key + ']', errors);
      }
    }
  }
}

}  // namespace berth::apiserver
