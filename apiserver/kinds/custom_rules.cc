// SPDX-License-Identifier: Apache-2.0
#include "apiserver/kinds/custom_rules.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "apiserver/kinds/custom_kinds.h"
#include "apiserver/schema/validate.h"
#include "base/cel/json_value.h"
#include "base/cel/kubernetes.h"
#include "base/cel/schema_type.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

std::string Below(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

FieldProblem Failed(const std::string& path, const std::string& type, const std::string& reason,
                    const std::string& message) {
  const std::string where = path.empty() ? "<nil>" : path;
  if (reason == "FieldValueRequired") return RequiredField(where, message);
  if (reason == "FieldValueForbidden") return ForbiddenField(where, message);
  if (reason == "FieldValueDuplicate")
    return {where, reason, "Duplicate value: " + json(type).dump()};
  return {where, "FieldValueInvalid", "Invalid value: " + message};
}

// Whether a finding keeps the rules from being asked.
bool Blocks(const FieldProblem& problem) {
  static constexpr std::string_view kReasons[] = {"FieldValueRequired",    "FieldValueTooLong",
                                                  "FieldValueTooMany",     "FieldValueNotSupported",
                                                  "FieldValueTypeInvalid", "FieldValueDuplicate"};
  return std::find(std::begin(kReasons), std::end(kReasons), problem.reason) != std::end(kReasons);
}

// The item of an old list that has the same keys.
const json* Correlated(const json* old, const json& item, const std::vector<std::string>& keys) {
  if (old == nullptr || !old->is_array() || keys.empty() || !item.is_object()) return nullptr;
  for (const json& candidate : *old) {
    const bool same =
        candidate.is_object() && std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
          return candidate.value(key, json()) == item.value(key, json());
        });
    if (same) return &candidate;
  }
  return nullptr;
}

const json* OldMember(const json* old, const std::string& name) {
  if (old == nullptr || !old->is_object()) return nullptr;
  const auto found = old->find(name);
  return found == old->end() ? nullptr : &*found;
}

}  // namespace

bool CustomRules::Node::HasRules() const {
  return !rules.empty() || !properties.empty() || items || additional;
}

std::shared_ptr<const CustomRules> CustomRules::Compile(const json& schema, const std::string& path,
                                                        Problems& problems) {
  auto rules = std::make_shared<CustomRules>();
  rules->root_ = CompileNode(schema, path, true, problems);
  return rules;
}

void CustomRules::CompileRules(const json& schema, const std::string& path, Node& node,
                               Problems& problems) {
  const auto listed = schema.find("x-kubernetes-validations");
  if (listed == schema.end() || !listed->is_array()) return;
  for (size_t i = 0; i < listed->size(); ++i) {
    const json& source = (*listed)[i];
    const std::string at = path + ".x-kubernetes-validations[" + std::to_string(i) + "]";
    const bool optional_old = source.value("optionalOldSelf", false);
    const cel::Environment environment = cel::RuleEnvironment(node.cel_type, optional_old);
    const std::string text = source.value("rule", "");
    auto program = cel::Compile(text, environment, cel::Basic(cel::Kind::kBool));
    if (!program) {
      problems.push_back(InvalidField(at + ".rule", source.dump(),
                                      "compilation failed: " + program.error().message()));
      continue;
    }
    const bool transition = program->Names("oldSelf");
    Rule rule{std::move(*program),
              std::nullopt,
              text,
              source.value("message", ""),
              source.value("reason", "FieldValueInvalid"),
              source.value("fieldPath", ""),
              transition,
              optional_old};
    if (const std::string expression = source.value("messageExpression", ""); !expression.empty()) {
      auto message = cel::Compile(expression, environment, cel::Basic(cel::Kind::kString));
      if (message)
        rule.message_expression = std::move(*message);
      else
        problems.push_back(InvalidField(at + ".messageExpression", source.dump(),
                                        "compilation failed: " + message.error().message()));
    }
    node.rules.push_back(std::move(rule));
  }
}

CustomRules::Node CustomRules::CompileNode(const json& schema, const std::string& path,
                                           bool is_root, Problems& problems) {
  Node node;
  if (!schema.is_object()) return node;
  node.type = schema.value("type", "object");
  node.cel_type =
      cel::TypeOfSchema(schema, is_root || schema.value("x-kubernetes-embedded-resource", false));
  CompileRules(schema, path, node, problems);
  if (const auto keys = schema.find("x-kubernetes-list-map-keys");
      keys != schema.end() && keys->is_array()) {
    node.list_keys = keys->get<std::vector<std::string>>();
  }
  if (const auto properties = schema.find("properties"); properties != schema.end()) {
    for (const auto& [name, child] : properties->items()) {
      Node below = CompileNode(child, path + ".properties[" + name + "]", false, problems);
      if (below.HasRules()) node.properties.emplace(name, std::move(below));
    }
  }
  const auto nested = [&](const char* keyword, std::unique_ptr<Node>& place) {
    const auto found = schema.find(keyword);
    if (found == schema.end() || !found->is_object()) return;
    Node below = CompileNode(*found, path + "." + keyword, false, problems);
    if (below.HasRules()) place = std::make_unique<Node>(std::move(below));
  };
  nested("items", node.items);
  nested("additionalProperties", node.additional);
  return node;
}

void CustomRules::Check(const json& object, const json* old, Problems& problems) const {
  cel::Budget budget;
  CheckNode(root_, object, old, "", budget, problems);
}

void CustomRules::CheckNode(const Node& node, const json& value, const json* old,
                            const std::string& path, cel::Budget& budget, Problems& problems) {
  if (value.is_null()) return;
  for (const Rule& rule : node.rules) CheckRule(node, rule, value, old, path, budget, problems);
  if (value.is_object()) {
    for (const auto& [name, child] : value.items()) {
      const auto found = node.properties.find(name);
      if (found != node.properties.end()) {
        CheckNode(found->second, child, OldMember(old, name), Below(path, name), budget, problems);
      } else if (node.additional) {
        CheckNode(*node.additional, child, OldMember(old, name), path + "[" + name + "]", budget,
                  problems);
      }
    }
  } else if (value.is_array() && node.items) {
    for (size_t i = 0; i < value.size(); ++i) {
      CheckNode(*node.items, value[i], Correlated(old, value[i], node.list_keys),
                path + "[" + std::to_string(i) + "]", budget, problems);
    }
  }
}

void CustomRules::CheckRule(const Node& node, const Rule& rule, const json& value, const json* old,
                            const std::string& path, cel::Budget& budget, Problems& problems) {
  if (rule.is_transition && old == nullptr && !rule.optional_old) return;
  cel::Activation activation;
  activation.Bind("self", cel::ViewOf(value, node.cel_type));
  if (rule.optional_old) {
    activation.Bind("oldSelf", old == nullptr ? cel::Value::None()
                                              : cel::Value::Some(cel::ViewOf(*old, node.cel_type)));
  } else if (old != nullptr) {
    activation.Bind("oldSelf", cel::ViewOf(*old, node.cel_type));
  }
  const auto result = rule.program.Evaluate(activation, budget);
  const std::string where = rule.field_path.empty() ? path : path + rule.field_path;
  if (!result) {
    problems.push_back(Failed(where, node.type, "FieldValueInvalid",
                              result.error().message() + " evaluating rule: " +
                                  (rule.message.empty() ? rule.text : rule.message)));
    return;
  }
  if (result->IsTrue()) return;
  std::string message = rule.message.empty() ? "failed rule: " + rule.text : rule.message;
  if (rule.message_expression) {
    const auto text = rule.message_expression->Evaluate(activation, budget);
    if (text && text->Is(cel::Kind::kString)) message = text->AsString();
  }
  problems.push_back(Failed(where, node.type, rule.reason, message));
}

void ValidateContent(const KindInfo& kind, const json& object, const json* old,
                     Problems& problems) {
  if (kind.kind == "CustomResourceDefinition" && !kind.custom) ValidateDefinition(object, problems);
  if (!kind.custom || kind.schema == nullptr) return;
  const size_t before = problems.size();
  for (const api::FieldError& error : Validate(*kind.schema, object)) {
    problems.push_back(ProblemOf(error));
  }
  if (!kind.rules) return;
  // Rules look at values of the right shape only.
  const bool misshapen =
      std::any_of(problems.begin() + static_cast<long>(before), problems.end(), Blocks);
  if (!misshapen) return kind.rules->Check(object, old, problems);
  if (!kind.rules->empty()) {
    problems.push_back(
        InvalidField("<nil>", "null",
                     "some validation rules were not checked because the object was invalid; "
                     "correct the existing errors to complete validation"));
  }
}

}  // namespace berth::apiserver
