// SPDX-License-Identifier: Apache-2.0
#include "controllers/argument_reference.h"

#include <algorithm>
#include <string_view>

#include "base/strings.h"

namespace berth::controllers {
namespace {

using json::Type;

const Type& Innermost(const Type& type) {
  const Type* inner = &type;
  while (inner->element) inner = &inner->element();
  return *inner;
}

std::string ScalarName(json::ScalarFormat format) {
  switch (format) {
    case json::ScalarFormat::kString:
      return "string";
    case json::ScalarFormat::kIntOrString:
      return "integer or string";
    case json::ScalarFormat::kDateTime:
      return "time";
    case json::ScalarFormat::kQuantity:
      return "quantity";
    case json::ScalarFormat::kDuration:
      return "duration";
  }
  return "string";
}

std::string TypeName(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kBool:
      return "boolean";
    case Type::Kind::kInt32:
    case Type::Kind::kInt64:
      return "integer";
    case Type::Kind::kDouble:
      return "number";
    case Type::Kind::kString:
      return "string";
    case Type::Kind::kScalar:
      return ScalarName(type.format);
    case Type::Kind::kOptional:
      return TypeName(type.element());
    case Type::Kind::kList:
      return "list of " + TypeName(type.element());
    case Type::Kind::kMap:
      return "map of " + TypeName(type.element());
    case Type::Kind::kObject:
      return "object";
    case Type::Kind::kRaw:
      return "any";
  }
  return "any";
}

std::optional<int64_t> Stated(int64_t bound) {
  return bound == json::kUnbounded ? std::nullopt : std::optional(bound);
}

// Describes the fields of a type. `above` are the types around it: a type that contains itself is
// described once.
std::vector<ArgumentReference> FieldsOf(const Type& type, std::vector<const Type*> above) {
  std::vector<ArgumentReference> arguments;
  if (std::ranges::find(above, &type) != above.end()) return arguments;
  above.push_back(&type);
  for (const Type::Field& field : type.fields) {
    const json::FieldOptions& options = field.options;
    ArgumentReference argument{.name = std::string(field.name),
                               .type = TypeName(field.type()),
                               .description = std::string(options.doc),
                               .required = options.required,
                               .default_ = {std::string(options.default_json)},
                               .minimum = Stated(options.minimum),
                               .maximum = Stated(options.maximum)};
    if (!options.one_of.empty()) {
      for (const auto word : Split(options.one_of, '|')) argument.one_of.emplace_back(word);
    }
    const Type& inner = Innermost(field.type());
    if (inner.kind == Type::Kind::kObject) argument.fields = FieldsOf(inner, above);
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

}  // namespace

const json::Type& ArgumentReference::JsonType() {
  static const json::Type type = json::Describe<ArgumentReference>(json::Object(
      json::Field("name", &ArgumentReference::name).Required().Doc("Name in pluginConfig."),
      json::Field("type", &ArgumentReference::type)
          .Required()
          .Doc("boolean, integer, number, string, duration, quantity, time, object, any; list of, "
               "map of one of these."),
      json::Field("description", &ArgumentReference::description).Doc("Purpose of the argument."),
      json::Field("required", &ArgumentReference::required).Doc("Whether it must be set."),
      json::Field("default", &ArgumentReference::default_).Doc("Default value."),
      json::Field("oneOf", &ArgumentReference::one_of).Doc("Allowed values; absent: any."),
      json::Field("minimum", &ArgumentReference::minimum).Doc("Smallest allowed number."),
      json::Field("maximum", &ArgumentReference::maximum).Doc("Largest allowed number."),
      json::Field("fields", &ArgumentReference::fields)
          .Doc("Fields of an object, or of the objects in a list or map, described likewise. A "
               "type that contains itself is described once.")));
  return type;
}

std::vector<ArgumentReference> ArgumentsOf(const Type& type) { return FieldsOf(type, {}); }

}  // namespace berth::controllers
