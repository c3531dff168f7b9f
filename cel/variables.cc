// SPDX-License-Identifier: Apache-2.0
#include "cel/variables.h"

#include <algorithm>
#include <optional>

namespace berth::cel {
namespace {

// LazyVariables is the value of `variables` in one activation. Not thread safe, like the budget.
class LazyVariables final : public Map {
 public:
  LazyVariables(std::vector<Variables::Variable> variables, const Activation& activation,
                Budget& budget)
      : variables_(std::move(variables)),
        values_(variables_.size()),
        activation_(activation),
        budget_(budget) {}

  size_t Size() const override { return variables_.size(); }

  std::optional<Value> Find(const Value& key) const override {
    if (!key.Is(Kind::kString)) return std::nullopt;
    for (size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i].name != key.AsString()) continue;
      if (!values_[i]) values_[i] = Evaluate(variables_[i]);
      return values_[i];
    }
    return std::nullopt;
  }

  std::vector<Value> Keys() const override {
    std::vector<Value> keys;
    for (const auto& variable : variables_) keys.push_back(Value::String(variable.name));
    return keys;
  }

 private:
  Value Evaluate(const Variables::Variable& variable) const {
    auto value = variable.program.Evaluate(activation_, budget_);
    if (value) return std::move(*value);
    return Value::Error("composited variable \"" + variable.name +
                        "\" fails to evaluate: " + value.error().message());
  }

  std::vector<Variables::Variable> variables_;
  mutable std::vector<std::optional<Value>> values_;
  const Activation& activation_;
  Budget& budget_;
};

}  // namespace

int Variables::DepthOf(const Expr& expr) const {
  int deepest = 0;
  for (const ExprPtr& arg : expr.args) deepest = std::max(deepest, DepthOf(*arg));
  const bool reads = expr.kind == ExprKind::kSelect &&
                     expr.args[0]->kind == ExprKind::kIdentifier &&
                     expr.args[0]->name == "variables";
  for (const Variable& variable : variables_) {
    if (reads && variable.name == expr.name) deepest = std::max(deepest, variable.depth);
  }
  return deepest + 1;
}

Result<void> Variables::Add(std::string name, std::string_view expression,
                            Environment& environment) {
  auto compiled = Compile(expression, environment);
  if (!compiled) return Fail(std::move(compiled).error());
  const int depth = DepthOf(compiled->root());
  if (depth > kMaxDepth) {
    return Fail(Reason::kInvalid, "variable \"" + name +
                                      "\" is nested too deeply: " + std::to_string(depth) +
                                      ", allowed are " + std::to_string(kMaxDepth) + " levels");
  }
  variables_.push_back({std::move(name), std::move(*compiled), depth});
  Fields fields;
  for (const Variable& variable : variables_) {
    fields[variable.name] = {variable.name, variable.program.type()};
  }
  environment.Declare("variables", ObjectOf("kubernetes.variables", std::move(fields)));
  return {};
}

void Variables::Bind(Activation& activation, Budget& budget) const {
  activation.Bind("variables", Value::Of(std::shared_ptr<const Map>(std::make_shared<LazyVariables>(
                                   variables_, activation, budget))));
}

}  // namespace berth::cel
