// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"

namespace berth::api {

// CelRule is one entry of x-kubernetes-validations.
struct CelRule {
  std::string rule;
  std::string message;
  std::string message_expression;
  std::string reason;
  std::string field_path;

  bool operator==(const CelRule&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("rule", &CelRule::rule), json::Field("message", &CelRule::message),
        json::Field("messageExpression", &CelRule::message_expression),
        json::Field("reason", &CelRule::reason), json::Field("fieldPath", &CelRule::field_path));
  }
};

// JsonSchemaProps is a structural schema: what CustomResourceDefinitions may say about a field.
struct JsonSchemaProps {
  std::string type;
  std::string format;
  std::string description;
  std::map<std::string, JsonSchemaProps> properties;
  Rare<JsonSchemaProps> items;
  Rare<JsonSchemaProps> additional_properties;
  std::vector<std::string> required;
  std::vector<json::Raw> enum_;
  json::Raw default_;
  std::optional<int64_t> minimum;
  std::optional<int64_t> maximum;
  std::optional<int64_t> min_length;
  std::optional<int64_t> max_length;
  std::optional<int64_t> min_items;
  std::optional<int64_t> max_items;
  std::optional<int64_t> max_properties;
  std::string pattern;
  bool nullable = false;
  std::optional<bool> preserve_unknown_fields;
  bool int_or_string = false;
  std::optional<std::string> list_type;
  std::vector<std::string> list_map_keys;
  std::optional<std::string> map_type;
  std::vector<CelRule> validations;

  bool operator==(const JsonSchemaProps&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("type", &JsonSchemaProps::type),
        json::Field("format", &JsonSchemaProps::format),
        json::Field("description", &JsonSchemaProps::description),
        json::Field("properties", &JsonSchemaProps::properties),
        json::Field("items", &JsonSchemaProps::items),
        json::Field("additionalProperties", &JsonSchemaProps::additional_properties),
        json::Field("required", &JsonSchemaProps::required),
        json::Field("enum", &JsonSchemaProps::enum_),
        json::Field("default", &JsonSchemaProps::default_),
        json::Field("minimum", &JsonSchemaProps::minimum),
        json::Field("maximum", &JsonSchemaProps::maximum),
        json::Field("minLength", &JsonSchemaProps::min_length),
        json::Field("maxLength", &JsonSchemaProps::max_length),
        json::Field("minItems", &JsonSchemaProps::min_items),
        json::Field("maxItems", &JsonSchemaProps::max_items),
        json::Field("maxProperties", &JsonSchemaProps::max_properties),
        json::Field("pattern", &JsonSchemaProps::pattern),
        json::Field("nullable", &JsonSchemaProps::nullable),
        json::Field("x-kubernetes-preserve-unknown-fields",
                    &JsonSchemaProps::preserve_unknown_fields),
        json::Field("x-kubernetes-int-or-string", &JsonSchemaProps::int_or_string),
        json::Field("x-kubernetes-list-type", &JsonSchemaProps::list_type),
        json::Field("x-kubernetes-list-map-keys", &JsonSchemaProps::list_map_keys),
        json::Field("x-kubernetes-map-type", &JsonSchemaProps::map_type),
        json::Field("x-kubernetes-validations", &JsonSchemaProps::validations));
  }
};

struct CustomResourceValidation {
  Rare<JsonSchemaProps> open_api_v3_schema;

  bool operator==(const CustomResourceValidation&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("openAPIV3Schema", &CustomResourceValidation::open_api_v3_schema));
  }
};

// CustomResourceSubresources: a present, empty status switches the sub-resource on.
struct CustomResourceSubresources {
  json::Raw status;

  bool operator==(const CustomResourceSubresources&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("status", &CustomResourceSubresources::status));
  }
};

struct CustomResourceColumnDefinition {
  std::string name;
  std::string type;
  std::string format;
  std::string description;
  int32_t priority = 0;
  std::string json_path;

  bool operator==(const CustomResourceColumnDefinition&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &CustomResourceColumnDefinition::name),
                        json::Field("type", &CustomResourceColumnDefinition::type),
                        json::Field("format", &CustomResourceColumnDefinition::format),
                        json::Field("description", &CustomResourceColumnDefinition::description),
                        json::Field("priority", &CustomResourceColumnDefinition::priority),
                        json::Field("jsonPath", &CustomResourceColumnDefinition::json_path));
  }
};

struct SelectableField {
  std::string json_path;

  bool operator==(const SelectableField&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("jsonPath", &SelectableField::json_path));
  }
};

struct CustomResourceDefinitionVersion {
  std::string name;
  bool served = false;
  bool storage = false;
  bool deprecated = false;
  std::optional<std::string> deprecation_warning;
  CustomResourceValidation schema;
  std::optional<CustomResourceSubresources> subresources;
  std::vector<CustomResourceColumnDefinition> additional_printer_columns;
  std::vector<SelectableField> selectable_fields;

  bool operator==(const CustomResourceDefinitionVersion&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &CustomResourceDefinitionVersion::name),
        json::Field("served", &CustomResourceDefinitionVersion::served).Required(),
        json::Field("storage", &CustomResourceDefinitionVersion::storage).Required(),
        json::Field("deprecated", &CustomResourceDefinitionVersion::deprecated),
        json::Field("deprecationWarning", &CustomResourceDefinitionVersion::deprecation_warning),
        json::Field("schema", &CustomResourceDefinitionVersion::schema),
        json::Field("subresources", &CustomResourceDefinitionVersion::subresources),
        json::Field("additionalPrinterColumns",
                    &CustomResourceDefinitionVersion::additional_printer_columns),
        json::Field("selectableFields", &CustomResourceDefinitionVersion::selectable_fields));
  }
};

struct CustomResourceDefinitionNames {
  std::string kind;
  std::string list_kind;
  std::string plural;
  std::string singular;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;

  bool operator==(const CustomResourceDefinitionNames&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("kind", &CustomResourceDefinitionNames::kind),
                        json::Field("listKind", &CustomResourceDefinitionNames::list_kind),
                        json::Field("plural", &CustomResourceDefinitionNames::plural),
                        json::Field("singular", &CustomResourceDefinitionNames::singular),
                        json::Field("shortNames", &CustomResourceDefinitionNames::short_names),
                        json::Field("categories", &CustomResourceDefinitionNames::categories));
  }
};

struct CustomResourceDefinitionSpec {
  std::string group;
  CustomResourceDefinitionNames names;
  std::string scope;  // Namespaced, Cluster
  std::vector<CustomResourceDefinitionVersion> versions;

  bool operator==(const CustomResourceDefinitionSpec&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("group", &CustomResourceDefinitionSpec::group),
                        json::Field("names", &CustomResourceDefinitionSpec::names),
                        json::Field("scope", &CustomResourceDefinitionSpec::scope),
                        json::Field("versions", &CustomResourceDefinitionSpec::versions));
  }
};

struct CustomResourceDefinitionCondition {
  std::string type;  // Established, NamesAccepted, ...
  std::string status;
  std::string reason;
  std::string message;
  Time last_transition_time;

  bool operator==(const CustomResourceDefinitionCondition&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("type", &CustomResourceDefinitionCondition::type),
                        json::Field("status", &CustomResourceDefinitionCondition::status),
                        json::Field("reason", &CustomResourceDefinitionCondition::reason),
                        json::Field("message", &CustomResourceDefinitionCondition::message),
                        json::Field("lastTransitionTime",
                                    &CustomResourceDefinitionCondition::last_transition_time));
  }
};

struct CustomResourceDefinitionStatus {
  std::vector<CustomResourceDefinitionCondition> conditions;

  bool operator==(const CustomResourceDefinitionStatus&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("conditions", &CustomResourceDefinitionStatus::conditions));
  }
};

struct CustomResourceDefinition {
  static constexpr ResourceInfo kResource{.group = "apiextensions.k8s.io",
                                          .version = "v1",
                                          .kind = "CustomResourceDefinition",
                                          .plural = "customresourcedefinitions",
                                          .namespaced = false};

  ObjectMeta metadata;
  CustomResourceDefinitionSpec spec;
  CustomResourceDefinitionStatus status;

  bool operator==(const CustomResourceDefinition&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "apiextensions.k8s.io/v1"),
                        json::Constant("kind", "CustomResourceDefinition"),
                        json::Field("metadata", &CustomResourceDefinition::metadata),
                        json::Field("spec", &CustomResourceDefinition::spec),
                        json::Field("status", &CustomResourceDefinition::status));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::CustomResourceDefinition);
