// SPDX-License-Identifier: Apache-2.0
#include "crds/rules.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "api/kubernetes_version.h"
#include "base/check.h"
#include "base/json/document.h"
#include "cel/json_value.h"
#include "cel/kubernetes.h"
#include "cel/program.h"
#include "cel/schema_type.h"
#include "crds/schema.h"

namespace berth::crds {
namespace {

using api::FieldError;
using Document = nlohmann::json;

// RuleTree is the part of a schema that has rules.
struct RuleTree {
  struct Rule {
    cel::Program program;
    std::string message;
  };
  std::string type;  // of JSON Schema: "object"
  cel::TypePtr cel_type;
  std::vector<Rule> rules;
  std::map<std::string, RuleTree> properties;
  std::unique_ptr<RuleTree> items;  // of a list
};

bool HasRules(const RuleTree& tree) {
  return !tree.rules.empty() || !tree.properties.empty() || tree.items != nullptr;
}

RuleTree CompileRules(const Document& schema, bool is_resource) {
  RuleTree tree{.type = schema.value("type", "")};
  if (const auto properties = schema.find("properties"); properties != schema.end()) {
    for (const auto& [name, below] : properties->items()) {
      RuleTree child = CompileRules(below, false);
      if (HasRules(child)) tree.properties.emplace(name, std::move(child));
    }
  }
  if (const auto items = schema.find("items"); items != schema.end()) {
    RuleTree child = CompileRules(*items, false);
    if (HasRules(child)) tree.items = std::make_unique<RuleTree>(std::move(child));
  }
  const auto rules = schema.find("x-kubernetes-validations");
  if (rules == schema.end()) return tree;
  tree.cel_type = cel::TypeOfSchema(schema, is_resource);
  const cel::Environment environment =
      cel::RuleEnvironment(tree.cel_type).AcceptedBy(api::kOldestKubernetes.minor);
  for (const Document& rule : *rules) {
    auto program = cel::Compile(rule["rule"].get_ref<const std::string&>(), environment,
                                cel::Basic(cel::Kind::kBool));
    BERTH_CHECK(program.has_value(), "a described rule does not compile");
    if (program->Names("oldSelf")) continue;
    tree.rules.push_back({std::move(*program), rule.value("message", "")});
  }
  return tree;
}

const RuleTree& RulesOfProfile() {
  static const RuleTree tree = CompileRules(
      json::ReadDocument(json::Encode(RootSchemaOf(json::TypeOf<SchedulerProfile>()))), true);
  return tree;
}

class RuleChecker {
 public:
  explicit RuleChecker(std::span<const std::string_view> excused) : excused_(excused) {}

  void Check(const RuleTree& tree, const Document& value, const std::string& path) {
    for (const RuleTree::Rule& rule : tree.rules) {
      if (std::find(excused_.begin(), excused_.end(), rule.message) == excused_.end()) {
        CheckRule(tree, rule, value, path);
      }
    }
    CheckBelow(tree, value, path);
  }

  void CheckBelow(const RuleTree& tree, const Document& value, const std::string& path) {
    for (const auto& [name, below] : tree.properties) {
      const auto member = value.find(name);
      if (member != value.end()) Check(below, *member, api::Child(path, name));
    }
    if (tree.items == nullptr) return;
    for (size_t i = 0; i < value.size(); ++i) Check(*tree.items, value[i], api::Index(path, i));
  }

  std::vector<FieldError> Take() { return std::move(errors_); }

 private:
  void CheckRule(const RuleTree& tree, const RuleTree::Rule& rule, const Document& value,
                 const std::string& path) {
    cel::Activation activation;
    activation.Bind("self", cel::ViewOf(value, tree.cel_type));
    const auto holds = rule.program.Evaluate(activation, budget_);
    if (holds && holds->IsTrue()) return;
    const std::string where = path.empty() ? "<nil>" : path;
    if (!holds) {
      errors_.push_back(FieldError::Invalid(
          where, tree.type, holds.error().message() + " evaluating rule: " + rule.message));
      return;
    }
    const bool shows_value = !value.is_object() && !value.is_array();
    errors_.push_back(FieldError::InvalidJson(
        where, shows_value ? json::DocumentText(value) : std::string(), rule.message));
  }

  std::span<const std::string_view> excused_;
  cel::Budget budget_;
  std::vector<FieldError> errors_;
};

}  // namespace

std::vector<FieldError> CheckRules(const SchedulerProfile& profile,
                                   std::span<const std::string_view> excused) {
  RuleChecker checker(excused);
  const Document document = json::ReadDocument(json::Encode(profile));
  if (profile.metadata.name.empty()) {
    checker.CheckBelow(RulesOfProfile(), document, "");
  } else {
    checker.Check(RulesOfProfile(), document, "");
  }
  return checker.Take();
}

}  // namespace berth::crds
