// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cel/kubernetes.h"
#include "cel/schema_type.h"
#include "sandbox/apiserver/kinds/custom/custom_rules.h"
#include "sandbox/apiserver/kinds/custom/definition_text.h"
#include "sandbox/apiserver/kinds/custom/schema_path.h"

namespace berth::apiserver {

using nlohmann::json;

bool CustomRules::Node::HasRules() const {
  return !rules.empty() || !properties.empty() || items || additional;
}

// Compiler turns a schema into nodes. What stands below another comes first in the findings.
class CustomRules::Compiler {
 public:
  explicit Compiler(Problems& problems) : problems_(problems) {}

  // `lost` is the path of the list around this schema whose items have no old state; "" for none.
  Node Compile(const json& schema, const std::string& path, const std::string& lost, bool is_root) {
    Node node;
    if (!schema.is_object()) return node;
    node.type = schema.value("type", "object");
    node.cel_type =
        cel::TypeOfSchema(schema, is_root || schema.value("x-kubernetes-embedded-resource", false));
    if (const auto keys = schema.find("x-kubernetes-list-map-keys");
        keys != schema.end() && keys->is_array()) {
      node.list_keys = keys->get<std::vector<std::string>>();
    }
    CompileBelow(schema, path, lost, node);
    const auto listed = schema.find("x-kubernetes-validations");
    if (listed == schema.end() || !listed->is_array()) return node;
    for (size_t i = 0; i < listed->size(); ++i) {
      CompileRule(schema, (*listed)[i],
                  path + ".x-kubernetes-validations[" + std::to_string(i) + "]", lost, node);
    }
    return node;
  }

 private:
  void CompileBelow(const json& schema, const std::string& path, const std::string& lost,
                    Node& node) {
    const auto nested = [&](const char* keyword, const std::string& outside,
                            std::unique_ptr<Node>& place) {
      const auto found = schema.find(keyword);
      if (found == schema.end() || !found->is_object()) return;
      Node below = Compile(*found, path + "." + keyword, outside, false);
      if (below.HasRules()) place = std::make_unique<Node>(std::move(below));
    };
    nested("additionalProperties", lost, node.additional);
    if (const auto properties = schema.find("properties"); properties != schema.end()) {
      for (const auto& [name, child] : properties->items()) {
        Node below = Compile(child, path + ".properties[" + name + "]", lost, false);
        if (below.HasRules()) node.properties.emplace(name, std::move(below));
      }
    }
    const bool keeps = schema.value("x-kubernetes-list-type", "") == "map" || !lost.empty();
    nested("items", keeps ? lost : path, node.items);
  }

  void CompileRule(const json& schema, const json& source, const std::string& path,
                   const std::string& lost, Node& node) {
    const bool optional_old = source.value("optionalOldSelf", false);
    const cel::Environment environment = cel::RuleEnvironment(node.cel_type, optional_old);
    const std::string text = source.value("rule", "");
    auto program = cel::Compile(text, environment);
    if (!program) {
      return Refuse(path + ".rule", source, "compilation failed: " + program.error().message());
    }
    if (program->type()->kind() != cel::Kind::kBool)
      return Refuse(path + ".rule", source, "cel expression must evaluate to a bool");
    Rule rule{std::move(*program),
              CompileMessage(source, path, environment),
              std::string(TrimSpace(text)),
              std::string(TrimSpace(source.value("message", ""))),
              source.value("reason", "FieldValueInvalid"),
              FieldPathOf(schema, source),
              false,
              optional_old};
    rule.is_transition = rule.program.Names("oldSelf");
    CheckOldSelf(source, rule, path, lost);
    node.rules.push_back(std::move(rule));
  }

  std::optional<cel::Program> CompileMessage(const json& source, const std::string& path,
                                             const cel::Environment& environment) {
    const std::string text = source.value("messageExpression", "");
    if (text.empty()) return std::nullopt;
    auto program = cel::Compile(text, environment);
    if (program && program->type()->kind() == cel::Kind::kString) return std::move(*program);
    Refuse(path + ".messageExpression", source,
           program ? "messageExpression must evaluate to a string"
                   : "messageExpression compilation failed: " + program.error().message());
    return std::nullopt;
  }

  static std::string FieldPathOf(const json& schema, const json& source) {
    const auto place =
        ResolveSchemaPath(schema, source.value("fieldPath", ""), PathNotation::kDotsAndKeys);
    return place ? place->text : std::string();
  }

  void CheckOldSelf(const json& source, const Rule& rule, const std::string& path,
                    const std::string& lost) {
    if (rule.is_transition && !lost.empty()) {
      problems_.push_back(FieldProblem::Invalid(
          path + ".rule", source.value("rule", ""),
          "oldSelf cannot be used on the uncorrelatable portion of the schema within " + lost));
    } else if (!rule.is_transition && source.contains("optionalOldSelf")) {
      problems_.push_back(
          FieldProblem::InvalidJson(path + ".optionalOldSelf", source["optionalOldSelf"].dump(),
                                    "may not be set if oldSelf is not used in rule"));
    }
  }

  void Refuse(const std::string& path, const json& source, const std::string& why) {
    problems_.push_back(FieldProblem::InvalidJson(path, RuleText(source), why));
  }

  Problems& problems_;
};

std::shared_ptr<const CustomRules> CustomRules::Compile(const json& schema, const std::string& path,
                                                        Problems& problems) {
  auto rules = std::make_shared<CustomRules>();
  rules->root_ = Compiler(problems).Compile(schema, path, "", true);
  return rules;
}

}  // namespace berth::apiserver
