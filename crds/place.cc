// SPDX-License-Identifier: Apache-2.0
#include "crds/place.h"

#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "base/json/json.h"
#include "crds/scheduler_profile.h"
#include "crds/schema.h"

namespace berth::crds {
namespace {

using Document = nlohmann::json;

constexpr size_t kMostShown = 200;  // characters of a list or an object in a message

// Returns the name of a list's element: "name=x" in a list of type map, else its index.
std::string NameOf(const Document* element, const api::JsonSchemaProps* schema, size_t index) {
  std::string name;
  if (element == nullptr || schema == nullptr) return std::to_string(index);
  for (const std::string& key : schema->list_map_keys) {
    const auto value = element->find(key);
    if (value == element->end() || !value->is_string()) return std::to_string(index);
    if (!name.empty()) name += ",";
    name += key + "=" + json::PathName(value->get_ref<const std::string&>());
  }
  return name.empty() ? std::to_string(index) : name;
}

const api::JsonSchemaProps* Pointer(const Rare<api::JsonSchemaProps>& schema) {
  return schema ? &*schema : nullptr;
}

}  // namespace

Place Place::Member(std::string_view name) const {
  Place member{.path = json::MemberPath(path, name), .depth = depth + 1};
  if (value != nullptr && value->is_object()) {
    const auto found = value->find(name);
    if (found != value->end()) member.value = &*found;
  }
  if (schema != nullptr) {
    const auto found = schema->properties.find(std::string(name));
    if (found != schema->properties.end()) member.schema = &found->second;
  }
  return member;
}

Place Place::Element(size_t index) const {
  const bool exists = value != nullptr && value->is_array() && index < value->size();
  const Document* element = exists ? &(*value)[index] : nullptr;
  return {.path = path + "[" + NameOf(element, schema, index) + "]",
          .value = element,
          .schema = schema != nullptr ? Pointer(schema->items) : nullptr,
          .depth = depth + 1};
}

std::vector<Place> Place::Entries() const {
  std::vector<Place> entries;
  if (value == nullptr) return entries;
  if (value->is_array()) {
    for (size_t i = 0; i < value->size(); ++i) entries.push_back(Element(i));
  } else if (value->is_object()) {
    for (const auto& [key, entry] : value->items()) {
      entries.push_back(
          {.path = json::MapEntryPath(path, key),
           .value = &entry,
           .schema = schema != nullptr ? Pointer(schema->additional_properties) : nullptr,
           .key = key,
           .depth = depth + 1});
    }
  }
  return entries;
}

api::FieldError Place::ErrorOf(std::string message) const {
  if (key) return api::FieldError::Invalid(path, *key, std::move(message));
  if (value == nullptr) return api::FieldError::Required(path, std::move(message));
  std::string shown = json::DocumentText(*value);
  if (value->is_structured() && shown.size() > kMostShown) shown.clear();
  return api::FieldError::InvalidJson(path, std::move(shown), std::move(message));
}

ProfileJson::ProfileJson(std::string_view text)
    : document_(std::make_shared<const Document>(json::ReadDocument(text))) {}

Place ProfileJson::root() const {
  return {.path = "", .value = document_.get(), .schema = &SchemaOfProfile()};
}

std::string ProfileJson::KeyedPath(std::span<const json::PathStep> steps) const {
  Place place = root();
  for (const json::PathStep& step : steps) {
    const std::string* name = std::get_if<std::string>(&step);
    place = name != nullptr ? place.Member(*name) : place.Element(std::get<size_t>(step));
  }
  return place.path;
}

const api::JsonSchemaProps& SchemaOfProfile() {
  static const api::JsonSchemaProps schema = RootSchemaOf(json::TypeOf<SchedulerProfile>());
  return schema;
}

}  // namespace berth::crds
