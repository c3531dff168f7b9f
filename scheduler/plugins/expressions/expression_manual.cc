// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/expressions/expression_manual.h"

#include <map>
#include <set>
#include <vector>

#include "base/strings.h"
#include "cel/function.h"
#include "cel/libraries.h"
#include "scheduler/plugins/expressions/expression.h"

namespace berth::scheduler {
namespace {

// Returns the struct type within collections and optionals, or null.
const cel::Type* StructWithin(const cel::Type& type) {
  if (type.kind() == cel::Kind::kObject) return &type;
  return type.parameters().empty() ? nullptr : StructWithin(*type.parameters().back());
}

// Returns a short form of a type: {} is a struct, which is listed on its own line. `dyn` is the
// text for a type that is known only at evaluation.
std::string Shown(const cel::Type& type, const std::string& dyn) {
  switch (type.kind()) {
    case cel::Kind::kObject:
      return "{}";
    case cel::Kind::kList:
      return "[" + Shown(*type.parameters()[0], dyn) + "]";
    case cel::Kind::kMap:
      return "{" + Shown(*type.parameters()[0], dyn) + ": " + Shown(*type.parameters()[1], dyn) +
             "}";
    case cel::Kind::kOpaque:
      return &type == cel::QuantityType().get() ? "quantity" : "semver";
    case cel::Kind::kDyn:
      return dyn;
    default:
      return cel::ToString(type);
  }
}

// Appends a line for the struct, named by the shortest path to it, and lines for its nested structs
// that were not listed before.
void AddStruct(const cel::Type& type, std::set<const cel::Type*>& shown, std::string& out) {
  if (!shown.insert(&type).second) return;
  std::map<std::string, const cel::Type*> fields;
  for (const auto& [name, field] : type.fields()) fields[field.name] = field.type.get();
  std::vector<std::string> words;
  for (const auto& [name, field] : fields) {
    words.push_back(name + " " + Shown(*field, "int or string"));
    const cel::Type* inner = StructWithin(*field);
    if (inner == nullptr) continue;
    const std::string path = type.name() + "." + name;
    const bool is_own = inner->name() == path || inner->name() == path + "[]";
    if (!is_own) words.back() += " as " + inner->name();
  }
  out += "  " + type.name() + ": " + Join(words, ", ") + "\n";
  for (const auto& [name, field] : fields) {
    if (const cel::Type* inner = StructWithin(*field)) AddStruct(*inner, shown, out);
  }
}

// Returns the signature of an overload as it is called: "string.contains(string) bool".
std::string Signature(const cel::Overload& overload) {
  std::vector<std::string> parameters;
  for (const cel::TypePtr& parameter : overload.parameters)
    parameters.push_back(Shown(*parameter, "dyn"));
  std::string receiver;
  if (overload.is_member) {
    receiver = parameters.front() + ".";
    parameters.erase(parameters.begin());
  }
  return receiver + overload.function + "(" + Join(parameters, ", ") + ") " +
         Shown(*overload.result, "dyn");
}

// Returns one line per function, with parameter and result types.
std::string FunctionList() {
  std::string list;
  for (const std::string_view name : cel::FunctionNames()) {
    if (name.find_first_of("_@") != std::string_view::npos) continue;
    std::vector<std::string> signatures;
    for (const cel::Overload& overload : cel::FindFunction(name)) {
      signatures.push_back(Signature(overload));
    }
    list += "  " + Join(signatures, ", ") + "\n";
  }
  return list;
}

}  // namespace

std::string ExpressionManual() {
  std::string text =
      "Fields and their types. A missing field reads as empty; test it with has(x):\n";
  std::set<const cel::Type*> shown;
  for (const char* variable : {"node", "pod"}) {
    AddStruct(*ExpressionEnvironment().Find(variable), shown, text);
  }
  text +=
      "Macros:\n  has(e.f), e.all(x, p), e.exists(x, p), e.exists_one(x, p), e.filter(x, p), "
      "e.map(x, t), e.map(x, p, t), e.sortBy(x, t), optional.optMap(x, t), "
      "optional.optFlatMap(x, t)\n";
  return text + "Functions, besides the operators:\n" + FunctionList();
}

}  // namespace berth::scheduler
