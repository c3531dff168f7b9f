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
  static const json::Type& JsonType();
};

// JsonSchemaProps is a structural schema: the schema of a field in a CustomResourceDefinition.
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
  static const json::Type& JsonType();
};

struct CustomResourceValidation {
  Rare<JsonSchemaProps> open_api_v3_schema;

  bool operator==(const CustomResourceValidation&) const = default;
  static const json::Type& JsonType();
};

// CustomResourceSubresources enables the status subresource if `status` is present, even if empty.
struct CustomResourceSubresources {
  json::Raw status;

  bool operator==(const CustomResourceSubresources&) const = default;
  static const json::Type& JsonType();
};

struct CustomResourceColumnDefinition {
  std::string name;
  std::string type;
  std::string format;
  std::string description;
  int32_t priority = 0;
  std::string json_path;

  bool operator==(const CustomResourceColumnDefinition&) const = default;
  static const json::Type& JsonType();
};

struct SelectableField {
  std::string json_path;

  bool operator==(const SelectableField&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

struct CustomResourceDefinitionNames {
  std::string kind;
  std::string list_kind;
  std::string plural;
  std::string singular;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;

  bool operator==(const CustomResourceDefinitionNames&) const = default;
  static const json::Type& JsonType();
};

struct CustomResourceDefinitionSpec {
  std::string group;
  CustomResourceDefinitionNames names;
  std::string scope;  // Namespaced, Cluster
  std::vector<CustomResourceDefinitionVersion> versions;

  bool operator==(const CustomResourceDefinitionSpec&) const = default;
  static const json::Type& JsonType();
};

struct CustomResourceDefinitionCondition {
  std::string type;  // Established, NamesAccepted, ...
  std::string status;
  std::string reason;
  std::string message;
  Time last_transition_time;

  bool operator==(const CustomResourceDefinitionCondition&) const = default;
  static const json::Type& JsonType();
};

struct CustomResourceDefinitionStatus {
  std::vector<CustomResourceDefinitionCondition> conditions;

  bool operator==(const CustomResourceDefinitionStatus&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

}  // namespace berth::api
