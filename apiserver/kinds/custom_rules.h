// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apiserver/kinds/strategy.h"
#include "base/cel/program.h"

namespace berth::apiserver {

// CustomRules are the CEL rules of a custom resource's schema (x-kubernetes-validations), compiled,
// where they stand. Immutable. Source: apiextensions-apiserver, pkg/apiserver/schema/cel.
class CustomRules {
 public:
  // Compile reads an openAPIV3Schema that stands at `path`; rules that do not compile are problems.
  static std::shared_ptr<const CustomRules> Compile(const nlohmann::json& schema,
                                                    const std::string& path, Problems& problems);

  // Check evaluates every rule that a document brings up; `old` is null on a create, when rules
  // that name oldSelf do not run.
  void Check(const nlohmann::json& object, const nlohmann::json* old, Problems& problems) const;

  bool empty() const { return !root_.HasRules(); }

 private:
  struct Rule {
    cel::Program program;
    std::optional<cel::Program> message_expression;
    std::string text, message, reason, field_path;
    bool is_transition = false;  // names oldSelf
    bool optional_old = false;   // runs on creation too, oldSelf being an optional
  };
  struct Node {
    std::string type;  // of JSON Schema, as messages name a value
    cel::TypePtr cel_type;
    std::vector<Rule> rules;
    std::map<std::string, Node> properties;
    std::unique_ptr<Node> items, additional;
    std::vector<std::string> list_keys;  // of a list with keys: which old item belongs to which
    bool HasRules() const;
  };

  static Node CompileNode(const nlohmann::json& schema, const std::string& path, bool is_root,
                          Problems& problems);
  static void CompileRules(const nlohmann::json& schema, const std::string& path, Node& node,
                           Problems& problems);
  static void CheckNode(const Node& node, const nlohmann::json& value, const nlohmann::json* old,
                        const std::string& path, cel::Budget& budget, Problems& problems);
  static void CheckRule(const Node& node, const Rule& rule, const nlohmann::json& value,
                        const nlohmann::json* old, const std::string& path, cel::Budget& budget,
                        Problems& problems);

  Node root_;
};

// ValidateContent checks a document of any kind against what its schema, its rules and, of a
// CustomResourceDefinition, its own form demand; `old` is null on a create.
void ValidateContent(const KindInfo& kind, const nlohmann::json& object, const nlohmann::json* old,
                     Problems& problems);

}  // namespace berth::apiserver
