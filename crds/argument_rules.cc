// SPDX-License-Identifier: Apache-2.0
#include "crds/argument_rules.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/json/type.h"
#include "base/strings.h"

namespace berth::crds {
namespace {

using json::Type;

// Separates a list and a field of its objects in a path: "filters[].expression".
constexpr std::string_view kOfItem = "[].";
constexpr std::string_view kListOf = "list of ";
constexpr std::string_view kAny = "any";

std::string Quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

const Type& WithinOptional(const Type& type) {
  return type.kind == Type::Kind::kOptional ? WithinOptional(type.element()) : type;
}

// Returns the JSON type of a value.
std::string KindOf(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kBool:
      return "boolean";
    case Type::Kind::kInt32:
    case Type::Kind::kInt64:
    case Type::Kind::kDouble:
      return "number";
    case Type::Kind::kString:
      return "string";
    case Type::Kind::kMap:
    case Type::Kind::kObject:
      return "object";
    case Type::Kind::kOptional:
      return KindOf(type.element());
    case Type::Kind::kList:
      return std::string(kListOf) + KindOf(type.element());
    case Type::Kind::kScalar:  // most accept a number or a text
    case Type::Kind::kRaw:
      break;
  }
  return std::string(kAny);
}

// Paths lists the checked fields with their JSON types, and the required fields.
struct Paths {
  std::vector<std::string> kinds;
  std::vector<std::string> required;
};

void AddFields(const Type& type, const std::string& prefix, Paths& paths) {
  for (const Type::Field& field : type.fields) {
    const std::string path = prefix + std::string(field.name);
    const Type& of_field = WithinOptional(field.type());
    paths.kinds.push_back(Quoted(path) + ": " + Quoted(KindOf(of_field)));
    if (field.options.required) paths.required.push_back(Quoted(path));
    if (!prefix.empty() || of_field.kind != Type::Kind::kList) continue;
    const Type& item = WithinOptional(of_field.element());
    if (item.kind == Type::Kind::kObject) AddFields(item, path + std::string(kOfItem), paths);
  }
}

Paths PathsOf(const Type& args) {
  Paths paths;
  for (const char* constant : {"apiVersion", "kind"}) {
    paths.kinds.push_back(Quoted(constant) + ": 'string'");
  }
  AddFields(args, "", paths);
  return paths;
}

// Returns an expression for the JSON type of a value.
std::string KindOfValue(const std::string& value) {
  return "(type(" + value + ") == string ? 'string' : type(" + value +
         ") == bool ? 'boolean' : " + "type(" + value + ") == map ? 'object' : type(" + value +
         ") == list ? 'list' : 'number')";
}

// Returns an expression that is true if a value has the JSON type, or is null, which equals
// absence.
std::string IsOfKind(const std::string& value, const std::string& kind) {
  return "(" + value + " == null || " + kind + " == 'any' || (" + kind +
         ".startsWith('list of ') ? " + "type(" + value + ") == list && " + value + ".all(each, " +
         kind + " == 'list of any' || 'list of ' + " + KindOfValue("each") + " == " + kind +
         ") : " + KindOfValue(value) + " == " + kind + "))";
}

constexpr char kFields[] = "variables.argumentKinds[entry.name]";
constexpr char kRequired[] = "variables.argumentsRequired[entry.name]";
constexpr char kPath[] = "'spec.pluginConfig[name=' + entry.name + '].args.'";

// Returns an expression that is true if the value at the path is wrong.
std::string IsWrong(const std::string& path, const std::string& value) {
  return "!(" + path + " in " + kFields + ") || !" +
         IsOfKind(value, std::string(kFields) + "[" + path + "]");
}
std::string ErrorText(const std::string& path) {
  return std::string(kPath) + " + " + path + " + (" + path + " in " + kFields +
         " ? ': must be a' + (" + kFields + "[" + path + "] == 'object' ? 'n ' : ' ') + " +
         kFields + "[" + path + "] : ': unknown field')";
}

// Returns an expression for the fields of an entry's args that are lists of objects.
std::string ListsOfObjects() {
  return std::string("entry.args.filter(outer, outer in ") + kFields + " && " + kFields +
         "[outer] == 'list of object' && type(entry.args[outer]) == list)";
}

// Returns a rule that fails with the texts in `messages` of each entry.
api::Validation Rule(const std::string& messages, std::string fallback) {
  return {.expression = "variables.arguments.all(entry, " + messages + ".size() == 0)",
          .message = std::move(fallback),
          .message_expression = "variables.arguments.map(entry, " + messages +
                                ".join('; ')).filter(text, text != '').join('; ')",
          .reason = "Invalid"};
}

}  // namespace

std::vector<api::AdmissionVariable> ArgumentVariables(const PluginCatalogueView& catalogue) {
  std::vector<std::string> kinds, required;
  for (const PluginView& plugin : catalogue.plugins) {
    if (plugin.args == nullptr) continue;
    const Paths paths = PathsOf(*plugin.args);
    kinds.push_back(Quoted(plugin.name) + ": {" + Join(paths.kinds, ", ") + "}");
    if (paths.required.empty()) continue;
    required.push_back(Quoted(plugin.name) + ": [" + Join(paths.required, ", ") + "]");
  }
  return {
      {"argumentKinds", "{" + Join(kinds, ", ") + "}"},
      {"argumentsRequired", "{" + Join(required, ", ") + "}"},
      {"arguments",
       "dyn(variables.configs).filter(entry, entry.name in variables.argumentKinds && "
       "has(entry.args))"},
  };
}

std::vector<api::Validation> ArgumentRules() {
  const std::string in_item = "outer + '[].' + field";
  const std::string value_in_item = "item[field]";
  const std::string items = "entry.args[outer].filter(item, type(item) == map)";
  const std::string own = "entry.args.filter(field, " + IsWrong("field", "entry.args[field]") +
                          ").map(field, " + ErrorText("field") + ")";
  const std::string of_items =
      ListsOfObjects() + ".map(outer, " + items + ".map(item, item.filter(field, " +
      IsWrong("(" + in_item + ")", value_in_item) + ").map(field, " +
      ErrorText("(" + in_item + ")") +
      ").join('; ')).filter(text, text != '').join('; ')).filter(text, text != '')";
  const std::string is_missing = "required.startsWith(outer + '[].') && " + items +
                                 ".exists(item, !(required.substring(size(outer) + 3) in item))";
  const std::string missing =
      "(entry.name in variables.argumentsRequired ? " + std::string(kRequired) +
      " : []).filter(required, required.contains('[].') ? " + ListsOfObjects() + ".exists(outer, " +
      is_missing + ") : !(required in entry.args)).map(required, " + kPath +
      " + required + ': required')";
  return {
      Rule(own, "spec.pluginConfig has arguments that a plugin does not take"),
      Rule(of_items, "spec.pluginConfig has arguments that a plugin does not take"),
      Rule(missing, "spec.pluginConfig lacks arguments that a plugin requires"),
  };
}

}  // namespace berth::crds
