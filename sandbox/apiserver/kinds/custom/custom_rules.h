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

// CustomRules are the CEL rules of a custom resource's schema (x-kubernetes-validations), compiled,
// where they stand. Immutable. Source: apiextensions-apiserver, pkg/apiserver/schema/cel.
class CustomRules {
 public:
  // Compile reads an openAPIV3Schema that stands at `path`; rules that do not compile, or name
  // oldSelf where no old value can be found, are problems.
  static std::shared_ptr<const CustomRules> Compile(const nlohmann::json& schema,
                                                    const std::string& path, Errors& errors);

  // Check evaluates every rule that a document brings up; `old` is null on a create, when rules
  // that name oldSelf do not run.
  void Check(const nlohmann::json& object, const nlohmann::json* old, Errors& errors) const;

  bool empty() const { return !root_.HasRules(); }

 private:
  struct Rule {
    cel::Program program;
    std::string text, message;
    bool is_transition = false;  // names oldSelf
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
  // A value that is checked, with what it was before.
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
