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
#include "crds/rule_place.h"
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
  cel::TypePtr cel_type;
  std::vector<Rule> rules;
  std::map<std::string, RuleTree> properties;
  std::unique_ptr<RuleTree> items;  // of a list
};

bool HasRules(const RuleTree& tree) {
  return !tree.rules.empty() || !tree.properties.empty() || tree.items != nullptr;
}

RuleTree CompileRules(const Document& schema, bool is_resource) {
  RuleTree tree;
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

const Document& SchemaOfProfile() {
  static const Document schema =
      json::ReadDocument(json::Encode(RootSchemaOf(json::TypeOf<SchedulerProfile>())));
  return schema;
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
  const Document document = json::ReadDocument(json::Encode(profile));
  const Place root{.path = "", .value = &document, .schema = &SchemaOfProfile()};
  if (profile.metadata.name.empty()) {
    checker.CheckBelow(RulesOfProfile(), root);
  } else {
    checker.Check(RulesOfProfile(), root);
  }
  return checker.Take();
}

KeyedPaths::KeyedPaths(std::string_view text)
    : document_(std::make_shared<const Document>(json::ReadDocument(text))) {}

std::string KeyedPaths::Of(std::string_view path) const {
  Place place{.path = "", .value = document_.get(), .schema = &SchemaOfProfile()};
  while (!path.empty()) {
    const bool is_entry = path.front() == '[';
    const size_t end = is_entry ? path.find(']') : path.find_first_of(".[", 1);
    const std::string step(path.substr(0, end).substr(is_entry ? 1 : 0));
    if (place.value != nullptr && place.value->is_array()) {
      const std::vector<Place> entries = place.Entries();
      const size_t index = std::stoul(step);
      if (index >= entries.size()) break;
      place = entries[index];
    } else if (is_entry) {
      place.path += "[" + step + "]";
      place.value = nullptr;
    } else {
      place = place.Member(step);
    }
    path.remove_prefix(std::min(end, path.size()));
    while (path.starts_with(']') || path.starts_with('.')) path.remove_prefix(1);
  }
  return place.path;
}

}  // namespace berth::crds
