// SPDX-License-Identifier: Apache-2.0
#include "crds/rules.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "api/kubernetes_version.h"
#include "base/check.h"
#include "base/json/json.h"
#include "cel/json_value.h"
#include "cel/kubernetes.h"
#include "cel/program.h"
#include "cel/schema_type.h"
#include "crds/place.h"
#include "crds/rule_place.h"

namespace berth::crds {
namespace {

using api::FieldError;

// RuleTree is the part of a schema that has rules.
struct RuleTree {
  struct Rule {
    cel::Program program;
    std::string message;
  };
  cel::TypePtr cel_type;
  std::vector<Rule> rules;
  std::map<std::string, RuleTree> properties;
  std::unique_ptr<RuleTree> items;  // of a list
};

bool HasRules(const RuleTree& tree) {
  return !tree.rules.empty() || !tree.properties.empty() || tree.items != nullptr;
}

RuleTree CompileRules(const api::JsonSchemaProps& schema, bool is_resource) {
  RuleTree tree;
  for (const auto& [name, below] : schema.properties) {
    RuleTree child = CompileRules(below, false);
    if (HasRules(child)) tree.properties.emplace(name, std::move(child));
  }
  if (schema.items) {
    RuleTree child = CompileRules(*schema.items, false);
    if (HasRules(child)) tree.items = std::make_unique<RuleTree>(std::move(child));
  }
  if (schema.validations.empty()) return tree;
  tree.cel_type = cel::TypeOfSchemaText(json::Encode(schema), is_resource);
  const cel::Environment environment =
      cel::RuleEnvironment(tree.cel_type).AcceptedBy(api::kOldestKubernetes.minor);
  for (const api::CelRule& rule : schema.validations) {
    auto program = cel::Compile(rule.rule, environment, cel::Basic(cel::Kind::kBool));
    BERTH_CHECK(program.has_value(), "a described rule does not compile");
    if (program->Names("oldSelf")) continue;
    tree.rules.push_back({std::move(*program), rule.message});
  }
  return tree;
}

const RuleTree& RulesOfProfile() {
  static const RuleTree tree = CompileRules(SchemaOfProfile(), true);
  return tree;
}

class RuleChecker {
 public:
  explicit RuleChecker(std::span<const std::string_view> excused) : excused_(excused) {}

  // Requires: the place has a value.
  void Check(const RuleTree& tree, const Place& place) {
    for (const RuleTree::Rule& rule : tree.rules) {
      if (std::find(excused_.begin(), excused_.end(), rule.message) == excused_.end()) {
        CheckRule(tree, rule, place);
      }
    }
    CheckBelow(tree, place);
  }

  void CheckBelow(const RuleTree& tree, const Place& place) {
    for (const auto& [name, below] : tree.properties) {
      const Place member = place.Member(name);
      if (member.value != nullptr) Check(below, member);
    }
    if (tree.items == nullptr) return;
    for (const Place& entry : place.Entries()) Check(*tree.items, entry);
  }

  std::vector<FieldError> Take() { return std::move(errors_); }

 private:
  void CheckRule(const RuleTree& tree, const RuleTree::Rule& rule, const Place& place) {
    cel::Activation activation;
    activation.Bind("self", cel::ViewOf(*place.value, tree.cel_type));
    const auto holds = rule.program.Evaluate(activation, budget_);
    if (holds && holds->IsTrue()) return;
    const std::string message =
        holds ? rule.message : holds.error().message() + " evaluating rule: " + rule.message;
    for (const Place& at : PlacesThatBreak(rule.program, place, tree.cel_type, budget_)) {
      errors_.push_back(at.ErrorOf(message));
    }
  }

  std::span<const std::string_view> excused_;
  cel::Budget budget_;
  std::vector<FieldError> errors_;
};

}  // namespace

std::vector<FieldError> CheckRules(const SchedulerProfile& profile,
                                   std::span<const std::string_view> excused) {
  RuleChecker checker(excused);
  const ProfileJson document(json::Encode(profile));
  if (profile.metadata.name.empty()) {
    checker.CheckBelow(RulesOfProfile(), document.root());
  } else {
    checker.Check(RulesOfProfile(), document.root());
  }
  return checker.Take();
}

}  // namespace berth::crds
