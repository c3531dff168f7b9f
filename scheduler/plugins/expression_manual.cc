// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/expression_manual.h"

#include <map>
#include <set>
#include <vector>

#include "base/strings.h"
#include "cel/function.h"
#include "cel/libraries.h"
#include "scheduler/plugins/expression.h"

namespace berth::scheduler {
namespace {

// Behind collections and optionals, the struct that fields are of; null where there is none.
const cel::Type* StructWithin(const cel::Type& type) {
  if (type.kind() == cel::Kind::kObject) return &type;
  return type.parameters().empty() ? nullptr : StructWithin(*type.parameters().back());
}

// Shown writes a type in short: {} is a struct, which has a line of its own. `dyn` is what stands for
// a value whose type shows only at evaluation.
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

// AddStruct writes a line for the struct, named by the shortest path to it, and one for each that it
// holds and that has none so far.
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

// Signature writes an overload as it is called: "string.contains(string) bool".
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

// FunctionList has a line for each function, with what it takes and gives.
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
  std::string text = "Fields, with their types; what is absent reads as empty, has(x) tells:\n";
  std::set<const cel::Type*> shown;
  for (const char* variable : {"node", "pod"}) {
    AddStruct(*ExpressionEnvironment().Find(variable), shown, text);
  }
  text +=
      "Macros:\n  has(e.f), e.all(x, p), e.exists(x, p), e.exists_one(x, p), e.filter(x, p), "
      "e.map(x, t), e.map(x, p, t), e.sortBy(x, t), optional.optMap(x, t), "
      "optional.optFlatMap(x, t)\n";
  return text + "Functions, beside the operators:\n" + FunctionList();
}

}  // namespace berth::scheduler
