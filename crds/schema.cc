// SPDX-License-Identifier: Apache-2.0
#include "crds/schema.h"

#include <algorithm>
#include <span>
#include <string>

#include "base/json/json.h"
#include "crds/bounds.h"

namespace berth::crds {
namespace {

using api::JsonSchemaProps;
using json::Type;

void AddRules(std::span<const json::ValidationRule> rules, JsonSchemaProps& schema) {
  for (const json::ValidationRule& rule : rules) {
    if (rule.rule.empty()) continue;
    schema.validations.push_back(
        {.rule = std::string(rule.rule), .message = std::string(rule.message)});
  }
}

std::optional<int64_t> Stated(int64_t bound) {
  return bound == json::kUnbounded ? std::nullopt : std::optional(bound);
}

JsonSchemaProps Text(int64_t max_length) { return {.type = "string", .max_length = max_length}; }

JsonSchemaProps Number(std::string_view format, const json::FieldOptions& options) {
  return {.type = "integer",
          .format = std::string(format),
          .minimum = Stated(options.minimum),
          .maximum = Stated(options.maximum)};
}

JsonSchemaProps String(const json::FieldOptions& options) {
  JsonSchemaProps schema = Text(BoundsOf(options).max_length);
  schema.min_length = Stated(options.min_length);
  schema.pattern = options.pattern;
  for (const std::string_view word : Words(options)) schema.enum_.push_back({json::Quoted(word)});
  if (!schema.enum_.empty()) schema.max_length.reset();
  return schema;
}

JsonSchemaProps Scalar(const Type& type, const json::FieldOptions& options) {
  switch (type.format) {
    case json::ScalarFormat::kString:
      return String(options);
    case json::ScalarFormat::kIntOrString:
      return {.max_length = 64, .int_or_string = true};
    case json::ScalarFormat::kDateTime:
      return {.type = "string", .format = "date-time"};
    case json::ScalarFormat::kQuantity:
      // The minimum applies to numbers, the pattern to text.
      return {.minimum = 0,
              .max_length = 64,
              .pattern = std::string(kQuantityPattern),
              .int_or_string = true};
    case json::ScalarFormat::kDuration: {
      JsonSchemaProps schema = Text(32);
      schema.pattern = kDurationPattern;
      return schema;
    }
  }
  return {};
}

// The field of a list or map bounds only the length of its strings.
JsonSchemaProps Item(const Type& element, const json::FieldOptions& options) {
  if (element.kind == Type::Kind::kString) return Text(BoundsOf(options).item_max_length);
  return SchemaOf(element);
}

JsonSchemaProps List(const Type& type, const json::FieldOptions& options) {
  JsonSchemaProps schema{.type = "array", .max_items = BoundsOf(options).max_items};
  JsonSchemaProps item = Item(type.element(), options);
  schema.list_type = "atomic";
  if (options.list_type == json::ListType::kSet) schema.list_type = "set";
  if (options.list_type == json::ListType::kMap) {
    schema.list_type = "map";
    for (const std::string_view key : MapKeys(options)) {
      schema.list_map_keys.emplace_back(key);
      auto& required = item.required;
      if (std::find(required.begin(), required.end(), key) == required.end()) {
        required.emplace_back(key);
      }
    }
  }
  schema.items = std::move(item);
  return schema;
}

JsonSchemaProps Object(const Type& type) {
  JsonSchemaProps schema{.type = "object"};
  for (const Type::Field& field : type.fields) {
    if (field.options.only_in_files) continue;
    const std::string name(field.name);
    schema.properties[name] = SchemaOf(field.type(), field.options);
    if (field.options.required) schema.required.push_back(name);
  }
  AddRules(type.rules, schema);
  return schema;
}

JsonSchemaProps Bare(const Type& type, const json::FieldOptions& options) {
  switch (type.kind) {
    case Type::Kind::kBool:
      return {.type = "boolean"};
    case Type::Kind::kInt32:
      return Number("int32", options);
    case Type::Kind::kInt64:
      return Number("int64", options);
    case Type::Kind::kDouble:
      return {.type = "number", .format = "double"};
    case Type::Kind::kString:
      return String(options);
    case Type::Kind::kScalar:
      return Scalar(type, options);
    case Type::Kind::kOptional:
      return Bare(type.element(), options);
    case Type::Kind::kList:
      return List(type, options);
    case Type::Kind::kMap: {
      JsonSchemaProps schema{.type = "object", .max_properties = BoundsOf(options).max_items};
      schema.additional_properties = Item(type.element(), options);
      return schema;
    }
    case Type::Kind::kObject:
      return Object(type);
    case Type::Kind::kRaw: {
      JsonSchemaProps schema{.type = "object"};
      if (options.preserve_unknown) schema.preserve_unknown_fields = true;
      return schema;
    }
  }
  return {};
}

}  // namespace

JsonSchemaProps SchemaOf(const Type& type, const json::FieldOptions& options) {
  JsonSchemaProps schema = Bare(type, options);
  schema.description = options.doc;
  schema.default_ = {std::string(options.default_json)};
  AddRules(options.rules, schema);
  return schema;
}

JsonSchemaProps RootSchemaOf(const Type& type) {
  JsonSchemaProps schema = SchemaOf(type);
  for (const json::ConstantSpec& constant : type.constants) {
    schema.properties[std::string(constant.name)] = {
        .type = "string", .description = "Always " + std::string(constant.value) + "."};
  }
  schema.properties["metadata"] = {.type = "object"};
  return schema;
}

}  // namespace berth::crds
