// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/args_text.h"

#include "base/strings.h"

namespace berth::operator_ {
namespace {

using json::Type;

constexpr int kMaxDepth = 6;  // a type may contain itself

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

std::string Bounds(const json::FieldOptions& options) {
  std::string text;
  if (!options.one_of.empty()) {
    std::string words(options.one_of);
    for (char& c : words) c = c == '|' ? ' ' : c;
    text += " One of: " + words + ".";
  }
  if (options.minimum != json::kUnbounded)
    text += " At least " + std::to_string(options.minimum) + ".";
  if (options.maximum != json::kUnbounded)
    text += " At most " + std::to_string(options.maximum) + ".";
  if (!options.default_json.empty()) text += " Default: " + std::string(options.default_json) + ".";
  return text;
}

void AddFields(const Type& type, int depth, std::string& text) {
  if (depth > kMaxDepth) return;
  for (const Type::Field& field : type.fields) {
    text += std::string(static_cast<size_t>(2 * depth), ' ') + std::string(field.name) + "  <" +
            TypeName(field.type()) + ">";
    if (!field.options.doc.empty()) text += "  " + std::string(field.options.doc);
    text += Bounds(field.options) + "\n";
    const Type& inner = Innermost(field.type());
    if (inner.kind == Type::Kind::kObject) AddFields(inner, depth + 1, text);
  }
}

}  // namespace

std::string ArgsText(const Type& type) {
  std::string text;
  AddFields(type, 1, text);
  return text.empty() ? "  none\n" : text;
}

std::string Indented(std::string_view text) {
  std::string indented;
  for (const std::string_view line : Split(text, '\n')) {
    if (!indented.empty()) indented += "\n";
    if (!line.empty()) indented += "  " + std::string(line);
  }
  return indented;
}

}  // namespace berth::operator_
