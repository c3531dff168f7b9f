// SPDX-License-Identifier: Apache-2.0
#include "cel/schema_type.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "cel/lexer.h"

namespace berth::cel {
namespace {

using Json = nlohmann::json;

bool IsSet(const Json& schema, const char* flag) {
  const auto found = schema.find(flag);
  return found != schema.end() && found->is_boolean() && found->get<bool>();
}

std::string_view Text(const Json& schema, const char* key) {
  const auto found = schema.find(key);
  if (found == schema.end() || !found->is_string()) return {};
  return found->get_ref<const std::string&>();
}

// A value without a type in the schema cannot be read.
bool HasType(const Json& schema) {
  return !Text(schema, "type").empty() || IsSet(schema, "x-kubernetes-int-or-string");
}

TypePtr StringType(std::string_view format) {
  if (format == "byte") return Basic(Kind::kBytes);
  if (format == "duration") return Basic(Kind::kDuration);
  if (format == "date" || format == "date-time") return Basic(Kind::kTimestamp);
  return Basic(Kind::kString);
}

// Object types are identified by name, which is their path.
TypePtr TypeAt(const Json& schema, bool is_resource, const std::string& path);

void AddResourceFields(Fields& fields, const std::string& path) {
  const TypePtr& text = Basic(Kind::kString);
  fields["apiVersion"] = {"apiVersion", text};
  fields["kind"] = {"kind", text};
  Fields metadata = {{"name", {"name", text}}, {"generateName", {"generateName", text}}};
  fields["metadata"] = {"metadata", ObjectOf(path + ".metadata", std::move(metadata))};
}

TypePtr ObjectType(const Json& schema, bool is_resource, const std::string& path) {
  const auto additional = schema.find("additionalProperties");
  if (additional != schema.end() && additional->is_object()) {
    return MapOf(Basic(Kind::kString), TypeAt(*additional, false, path + ".@elem"));
  }
  const auto properties = schema.find("properties");
  const bool has_properties = properties != schema.end() && properties->is_object();
  is_resource = is_resource || IsSet(schema, "x-kubernetes-embedded-resource");
  Fields fields;
  if (has_properties) {
    for (const auto& property : properties->items()) {
      auto name = EscapeFieldName(property.key());
      if (!name || !HasType(property.value())) continue;
      fields[*name] = {property.key(), TypeAt(property.value(), false, path + "." + *name)};
    }
  }
  if (is_resource) AddResourceFields(fields, path);
  return ObjectOf(path, std::move(fields));
}

void ReplaceAll(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

TypePtr TypeAt(const Json& schema, bool is_resource, const std::string& path) {
  if (!schema.is_object() || IsSet(schema, "x-kubernetes-int-or-string")) return Basic(Kind::kDyn);
  const std::string_view type = Text(schema, "type");
  if (type == "object") return ObjectType(schema, is_resource, path);
  if (type == "array") {
    const auto items = schema.find("items");
    return ListOf(items == schema.end() ? Basic(Kind::kDyn)
                                        : TypeAt(*items, false, path + ".@idx"));
  }
  if (type == "string") return StringType(Text(schema, "format"));
  if (type == "boolean") return Basic(Kind::kBool);
  if (type == "integer") return Basic(Kind::kInt);
  if (type == "number") return Basic(Kind::kDouble);
  return Basic(Kind::kDyn);
}

}  // namespace

TypePtr TypeOfSchema(const Json& schema, bool is_resource) {
  return TypeAt(schema, is_resource, "selfType");
}

TypePtr TypeOfSchemaText(std::string_view schema, bool is_resource) {
  return TypeOfSchema(json::ReadDocument(schema), is_resource);
}

std::optional<std::string> EscapeFieldName(std::string_view field) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-' || c == '/';
  };
  if (field.empty() || (field[0] >= '0' && field[0] <= '9') ||
      !std::all_of(field.begin(), field.end(), is_allowed)) {
    return std::nullopt;
  }
  std::string name(field);
  if (IsReservedWord(field) || field == "true" || field == "false" || field == "null" ||
      field == "in") {
    return "__" + name + "__";
  }
  ReplaceAll(name, "__", "__underscores__");
  ReplaceAll(name, ".", "__dot__");
  ReplaceAll(name, "-", "__dash__");
  ReplaceAll(name, "/", "__slash__");
  return name;
}

}  // namespace berth::cel
