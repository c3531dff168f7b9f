// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cel/program.h"
#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// CustomRules are the compiled CEL rules (x-kubernetes-validations) of a custom resource's schema,
// kept at their schema nodes. Immutable. Source: apiextensions-apiserver, pkg/apiserver/schema/cel.
class CustomRules {
 public:
  // Compiles the rules of the openAPIV3Schema at `path`. Reports rules that do not compile, and
  // rules that use oldSelf where no old value can be found.
  static std::shared_ptr<const CustomRules> Compile(const nlohmann::json& schema,
                                                    const std::string& path, Errors& errors);

  // Evaluates every rule that applies to a document. `old` is null on a create; rules that use
  // oldSelf do not run then.
  void Check(const nlohmann::json& object, const nlohmann::json* old, Errors& errors) const;

  bool empty() const { return !root_.HasRules(); }

 private:
  struct Rule {
    cel::Program program;
    std::string text, message;
    bool is_transition = false;  // uses oldSelf
  };
  struct Node {
    std::string type;  // JSON Schema's name of the type, for messages
    cel::TypePtr cel_type;
    std::vector<Rule> rules;
    std::map<std::string, Node> properties;
    std::unique_ptr<Node> items, additional;
    std::vector<std::string> list_keys;  // of a list with keys: they match items with old items
    bool HasRules() const;
  };
  // A value to check, with its old value.
  struct Place {
    const Node& node;
    const nlohmann::json& value;
    const nlohmann::json* old;
    std::string path;
  };
  class Compiler;
  class Evaluation;

  Node root_;
};

}  // namespace berth::apiserver
