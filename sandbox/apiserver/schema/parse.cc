// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/parse.h"

#include <algorithm>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/schema/builtin.h"
#include "sandbox/apiserver/schema/rules.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kRefPrefix = "#/components/schemas/";

const json* Find(const json& source, const char* keyword) {
  const auto at = source.find(keyword);
  return at == source.end() || at->is_null() ? nullptr : &*at;
}

bool Flag(const json& source, const char* keyword) {
  const json* value = Find(source, keyword);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::string KeywordText(const json& source, const char* keyword) {
  const json* value = Find(source, keyword);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::optional<int64_t> Count(const json& source, const char* keyword) {
  const json* value = Find(source, keyword);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->get<int64_t>();
}

Result<ValueType> ParseType(const json& source) {
  static constexpr std::pair<std::string_view, ValueType> kTypes[] = {
      {"", ValueType::kAny},
      {"object", ValueType::kObject},
      {"array", ValueType::kArray},
      {"string", ValueType::kString},
      {"integer", ValueType::kInteger},
      {"number", ValueType::kNumber},
      {"boolean", ValueType::kBoolean}};
  const std::string word = KeywordText(source, "type");
  for (const auto& [name, type] : kTypes)
    if (name == word) return type;
  return Fail(
      Reason::kInvalid,
      "type: " + Quoted(word) + ": allowed are object, array, string, integer, number and boolean");
}

// x-kubernetes-list-type states how a list is merged. Older built-in types only have the strategic
// merge patch keywords, which mean the same.
void ParseListTopology(const json& source, Schema* node) {
  const std::string type = KeywordText(source, "x-kubernetes-list-type");
  const bool merges = KeywordText(source, "x-kubernetes-patch-strategy").starts_with("merge");
  const std::string merge_key = KeywordText(source, "x-kubernetes-patch-merge-key");
  if (const json* keys = Find(source, "x-kubernetes-list-map-keys"); type == "map" && keys) {
    node->list_type = ListType::kMap;
    node->list_map_keys = keys->get<std::vector<std::string>>();
    std::sort(node->list_map_keys.begin(), node->list_map_keys.end());
  } else if (type.empty() && merges && !merge_key.empty()) {
    node->list_type = ListType::kMap;
    node->list_map_keys = {merge_key};
  } else if (type == "set" || (type.empty() && merges)) {
    node->list_type = ListType::kSet;
  }
}

Slot SlotAttributes(const json& source) {
  Slot slot;
  if (const auto at = source.find("default"); at != source.end())
    slot.default_value = std::make_shared<const json>(*at);
  const std::string empty = KeywordText(source, "x-empty");
  if (empty == "drop") slot.empty = EmptyForm::kDropped;
  if (empty == "null") slot.empty = EmptyForm::kNull;
  if (slot.empty == EmptyForm::kNull && slot.default_value == nullptr)
    slot.default_value = std::make_shared<const json>(nullptr);
  const std::string strategy = KeywordText(source, "x-kubernetes-patch-strategy");
  slot.patch.merge = strategy.starts_with("merge");
  slot.patch.retain_keys = strategy.ends_with("retainKeys");
  slot.patch.merge_key = KeywordText(source, "x-kubernetes-patch-merge-key");
  return slot;
}

bool HasAny(const json& source, std::span<const char* const> keywords) {
  return std::any_of(keywords.begin(), keywords.end(),
                     [&](const char* keyword) { return Find(source, keyword) != nullptr; });
}

constexpr const char* kRuleKeywords[] = {"enum",      "minimum",       "maximum",
                                         "minLength", "maxLength",     "minItems",
                                         "maxItems",  "maxProperties", "pattern"};
// Keywords that a real API server checks and this one does not.
constexpr const char* kUnserved[] = {
    "allOf",           "anyOf",         "oneOf",       "not",
    "multipleOf",      "minProperties", "uniqueItems", "exclusiveMinimum",
    "exclusiveMaximum"};

// Returns a property, or declares it with any type.
Slot& SlotNamed(std::string_view name, Schema* node) {
  auto at = std::lower_bound(
      node->properties.begin(), node->properties.end(), name,
      [](const Slot& slot, std::string_view wanted) { return slot.name < wanted; });
  if (at == node->properties.end() || at->name != name) {
    at = node->properties.emplace(at);
    at->name = std::string(name);
    at->schema = node->additional ? node->additional.schema : &DeducedSchema();
  }
  return *at;
}

// Marks required properties.
void AddRequired(const json& source, Schema* node) {
  const json* required = Find(source, "required");
  if (required == nullptr) return;
  for (const json& name : *required) SlotNamed(name.get<std::string>(), node).required = true;
}

// Adds the common fields of objects to a resource or an embedded one.
void AddObjectFields(const Schema* object_meta, Schema* node) {
  SlotNamed("apiVersion", node).schema = &TextSchema();
  SlotNamed("kind", node).schema = &TextSchema();
  const Slot* declared = node->FindProperty("metadata");
  node->metadata_rules = declared == nullptr ? nullptr : declared->schema;
  SlotNamed("metadata", node).schema = object_meta;
}

}  // namespace

Result<void> SchemaParser::Fill(const json& source, Schema* node) {
  try {
    return FillAt(source, false, node);
  } catch (const json::exception& error) {
    return Fail(Reason::kInvalid, std::string("schema: ") + error.what());
  }
}

Result<void> SchemaParser::FillAt(const json& source, bool preserves, Schema* node) {
  if (!source.is_object()) return Fail(Reason::kInvalid, "a schema must be an object");
  BERTH_TRY(node->type, ParseType(source));
  node->format = KeywordText(source, "format");
  node->nullable = Flag(source, "nullable");
  node->int_or_string = Flag(source, "x-kubernetes-int-or-string");
  node->preserve_unknown = Flag(source, "x-kubernetes-preserve-unknown-fields");
  node->embedded_resource = Flag(source, "x-kubernetes-embedded-resource");
  if (KeywordText(source, "x-kubernetes-map-type") == "atomic") node->map_type = MapType::kAtomic;
  if (const json* rules = Find(source, "x-kubernetes-validations"))
    node->validations = std::make_shared<const json>(*rules);
  ParseListTopology(source, node);
  preserves = preserves || node->preserve_unknown;
  BERTH_TRY_VOID(ParseChildren(source, preserves, node));
  if (node->embedded_resource) AddObjectFields(resolve_(kObjectMetaType), node);
  // An int-or-string lists its types with anyOf.
  if (!node->int_or_string && HasAny(source, kUnserved))
    return Fail(Reason::kInvalid,
                "allOf, anyOf, oneOf, not, multipleOf, minProperties, uniqueItems and exclusive "
                "bounds are not served by this server: they need a real API server");
  if (HasAny(source, kRuleKeywords)) BERTH_TRY_VOID(ParseRules(source, node));
  return {};
}

Result<void> SchemaParser::ParseChildren(const json& source, bool preserves, Schema* node) {
  if (const json* properties = Find(source, "properties")) {
    for (const auto& [name, property] : properties->items()) {
      BERTH_TRY(Slot slot, ParseSlot(property, preserves));
      slot.name = name;
      node->properties.push_back(std::move(slot));
    }
  }
  if (const json* items = Find(source, "items")) {
    BERTH_TRY(node->items, ParseSlot(*items, preserves));
  } else if (node->type == ValueType::kAny) {
    node->items.schema = &OpaqueSchema();
  }
  const json* additional = Find(source, "additionalProperties");
  if (additional != nullptr && additional->is_object()) {
    BERTH_TRY(node->additional, ParseSlot(*additional, preserves));
  } else if (additional != nullptr ? additional->get<bool>()
                                   : preserves || node->properties.empty()) {
    node->unknown = &DeducedSchema();
    node->preserve_unknown |= additional != nullptr;
  }
  AddRequired(source, node);
  return {};
}

Result<Slot> SchemaParser::ParseSlot(const json& source, bool preserves) {
  if (!source.is_object()) return Fail(Reason::kInvalid, "a schema must be an object");
  Slot slot = SlotAttributes(source);
  BERTH_TRY(slot.schema, ParseNode(source, preserves));
  return slot;
}

Result<const Schema*> SchemaParser::ParseNode(const json& source, bool preserves) {
  if (const json* ref = Find(source, "$ref")) {
    std::string_view name = ref->get_ref<const std::string&>();
    if (name.starts_with(kRefPrefix)) name.remove_prefix(std::string_view(kRefPrefix).size());
    if (const Schema* target = resolve_(name)) return target;
    return Fail(Reason::kInvalid, "$ref: no type is named " + std::string(name));
  }
  Schema* node = &arena_->emplace_back();
  BERTH_TRY_VOID(FillAt(source, preserves, node));
  return node;
}

Result<void> SchemaParser::ParseRules(const json& source, Schema* node) {
  auto rules = std::make_shared<SchemaRules>();
  if (const json* allowed = Find(source, "enum"))
    rules->allowed.assign(allowed->begin(), allowed->end());
  if (const json* minimum = Find(source, "minimum")) rules->minimum = *minimum;
  if (const json* maximum = Find(source, "maximum")) rules->maximum = *maximum;
  rules->min_length = Count(source, "minLength");
  rules->max_length = Count(source, "maxLength");
  rules->min_items = Count(source, "minItems");
  rules->max_items = Count(source, "maxItems");
  rules->max_properties = Count(source, "maxProperties");
  rules->pattern = KeywordText(source, "pattern");
  if (!rules->pattern.empty()) {
    auto regex = Regex::Compile(rules->pattern);
    if (!regex)
      return Fail(Reason::kInvalid, "pattern: " + Quoted(rules->pattern) +
                                        ": must be a valid regular expression, but isn't: " +
                                        regex.error().message());
    rules->regex = std::move(*regex);
  }
  node->rules = std::move(rules);
  return {};
}

Result<std::shared_ptr<const Schema>> ParseResourceSchema(const json& source) {
  struct Owned {
    SchemaArena arena;
    Schema root;
  };
  auto owned = std::make_shared<Owned>();
  SchemaParser parser(&owned->arena,
                      [](std::string_view name) { return BuiltinSchemas::Get().Find(name); });
  BERTH_TRY_VOID(parser.Fill(source, &owned->root));
  if (!owned->root.embedded_resource) {
    owned->root.embedded_resource = true;
    AddObjectFields(BuiltinSchemas::Get().Find(kObjectMetaType), &owned->root);
  }
  return std::shared_ptr<const Schema>(owned, &owned->root);
}

}  // namespace berth::apiserver
