// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cel/kubernetes.h"
#include "cel/schema_type.h"
#include "sandbox/apiserver/kinds/custom/custom_rules.h"

namespace berth::apiserver {

using nlohmann::json;

constexpr const char* kNotHere = "is not served by this server: it needs a real API server";

bool CustomRules::Node::HasRules() const {
  return !rules.empty() || !properties.empty() || items || additional;
}

// Compiler turns a schema into nodes. Errors of nested schemas come first.
class CustomRules::Compiler {
 public:
  explicit Compiler(Errors& errors) : errors_(errors) {}

  // `lost` is the path of the surrounding list whose items have no old state; "" for none.
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
      CompileRule((*listed)[i], path + ".x-kubernetes-validations[" + std::to_string(i) + "]", lost,
                  node);
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

  void CompileRule(const json& source, const std::string& path, const std::string& lost,
                   Node& node) {
    for (const char* unserved : {"messageExpression", "reason", "fieldPath", "optionalOldSelf"})
      if (source.contains(unserved)) Reject(path + "." + unserved, source, kNotHere);
    const std::string text = source.value("rule", "");
    auto program = cel::Compile(text, cel::RuleEnvironment(node.cel_type, false));
    if (!program)
      return Reject(path + ".rule", source, "compilation failed: " + program.error().message());
    if (program->type()->kind() != cel::Kind::kBool)
      return Reject(path + ".rule", source, "cel expression must evaluate to a bool");
    const bool is_transition = program->Names("oldSelf");
    if (is_transition && !lost.empty())
      Reject(path + ".rule", source,
             "oldSelf cannot be used on the uncorrelatable portion of the schema within " + lost);
    node.rules.push_back({std::move(*program), std::string(TrimSpace(text)),
                          std::string(TrimSpace(source.value("message", ""))), is_transition});
  }

  void Reject(const std::string& path, const json& source, const std::string& why) {
    errors_.push_back(FieldError::Invalid(path, source.value("rule", ""), why));
  }

  Errors& errors_;
};

std::shared_ptr<const CustomRules> CustomRules::Compile(const json& schema, const std::string& path,
                                                        Errors& errors) {
  auto rules = std::make_shared<CustomRules>();
  rules->root_ = Compiler(errors).Compile(schema, path, "", true);
  return rules;
}

}  // namespace berth::apiserver
