// SPDX-License-Identifier: Apache-2.0
#include "api/apiextensions.h"

namespace berth::api {

const json::Type& CelRule::JsonType() {
  static const json::Type type = json::Describe<CelRule>(json::Object(
      json::Field("rule", &CelRule::rule), json::Field("message", &CelRule::message),
      json::Field("messageExpression", &CelRule::message_expression),
      json::Field("reason", &CelRule::reason), json::Field("fieldPath", &CelRule::field_path)));
  return type;
}

const json::Type& JsonSchemaProps::JsonType() {
  static const json::Type type = json::Describe<JsonSchemaProps>(json::Object(
      json::Field("type", &JsonSchemaProps::type), json::Field("format", &JsonSchemaProps::format),
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
      json::Field("x-kubernetes-validations", &JsonSchemaProps::validations)));
  return type;
}

const json::Type& CustomResourceValidation::JsonType() {
  static const json::Type type = json::Describe<CustomResourceValidation>(
      json::Object(json::Field("openAPIV3Schema", &CustomResourceValidation::open_api_v3_schema)));
  return type;
}

const json::Type& CustomResourceSubresources::JsonType() {
  static const json::Type type = json::Describe<CustomResourceSubresources>(
      json::Object(json::Field("status", &CustomResourceSubresources::status)));
  return type;
}

const json::Type& CustomResourceColumnDefinition::JsonType() {
  static const json::Type type = json::Describe<CustomResourceColumnDefinition>(
      json::Object(json::Field("name", &CustomResourceColumnDefinition::name),
                   json::Field("type", &CustomResourceColumnDefinition::type),
                   json::Field("format", &CustomResourceColumnDefinition::format),
                   json::Field("description", &CustomResourceColumnDefinition::description),
                   json::Field("priority", &CustomResourceColumnDefinition::priority),
                   json::Field("jsonPath", &CustomResourceColumnDefinition::json_path)));
  return type;
}

const json::Type& SelectableField::JsonType() {
  static const json::Type type = json::Describe<SelectableField>(
      json::Object(json::Field("jsonPath", &SelectableField::json_path)));
  return type;
}

const json::Type& CustomResourceDefinitionVersion::JsonType() {
  static const json::Type type = json::Describe<CustomResourceDefinitionVersion>(json::Object(
      json::Field("name", &CustomResourceDefinitionVersion::name),
      json::Field("served", &CustomResourceDefinitionVersion::served).Required(),
      json::Field("storage", &CustomResourceDefinitionVersion::storage).Required(),
      json::Field("deprecated", &CustomResourceDefinitionVersion::deprecated),
      json::Field("deprecationWarning", &CustomResourceDefinitionVersion::deprecation_warning),
      json::Field("schema", &CustomResourceDefinitionVersion::schema),
      json::Field("subresources", &CustomResourceDefinitionVersion::subresources),
      json::Field("additionalPrinterColumns",
                  &CustomResourceDefinitionVersion::additional_printer_columns),
      json::Field("selectableFields", &CustomResourceDefinitionVersion::selectable_fields)));
  return type;
}

const json::Type& CustomResourceDefinitionNames::JsonType() {
  static const json::Type type = json::Describe<CustomResourceDefinitionNames>(
      json::Object(json::Field("kind", &CustomResourceDefinitionNames::kind),
                   json::Field("listKind", &CustomResourceDefinitionNames::list_kind),
                   json::Field("plural", &CustomResourceDefinitionNames::plural),
                   json::Field("singular", &CustomResourceDefinitionNames::singular),
                   json::Field("shortNames", &CustomResourceDefinitionNames::short_names),
                   json::Field("categories", &CustomResourceDefinitionNames::categories)));
  return type;
}

const json::Type& CustomResourceDefinitionSpec::JsonType() {
  static const json::Type type = json::Describe<CustomResourceDefinitionSpec>(
      json::Object(json::Field("group", &CustomResourceDefinitionSpec::group),
                   json::Field("names", &CustomResourceDefinitionSpec::names),
                   json::Field("scope", &CustomResourceDefinitionSpec::scope),
                   json::Field("versions", &CustomResourceDefinitionSpec::versions)));
  return type;
}

const json::Type& CustomResourceDefinitionCondition::JsonType() {
  static const json::Type type = json::Describe<CustomResourceDefinitionCondition>(json::Object(
      json::Field("type", &CustomResourceDefinitionCondition::type),
      json::Field("status", &CustomResourceDefinitionCondition::status),
      json::Field("reason", &CustomResourceDefinitionCondition::reason),
      json::Field("message", &CustomResourceDefinitionCondition::message),
      json::Field("lastTransitionTime", &CustomResourceDefinitionCondition::last_transition_time)));
  return type;
}

const json::Type& CustomResourceDefinitionStatus::JsonType() {
  static const json::Type type = json::Describe<CustomResourceDefinitionStatus>(
      json::Object(json::Field("conditions", &CustomResourceDefinitionStatus::conditions)));
  return type;
}

const json::Type& CustomResourceDefinition::JsonType() {
  static const json::Type type = json::Describe<CustomResourceDefinition>(
      json::Object(json::Constant("apiVersion", "apiextensions.k8s.io/v1"),
                   json::Constant("kind", "CustomResourceDefinition"),
                   json::Field("metadata", &CustomResourceDefinition::metadata),
                   json::Field("spec", &CustomResourceDefinition::spec),
                   json::Field("status", &CustomResourceDefinition::status)));
  return type;
}

}  // namespace berth::api
