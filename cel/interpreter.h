// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cel/activation.h"
#include "cel/ast.h"

namespace berth::cel {

// Interpreter evaluates one checked expression once and counts its cost like Kubernetes. Recursion
// follows the tree, which has a limited height. Every loop costs; above the limit the result is a
// final error. Single use, one thread.
//
// Costs: a variable 1, a field or a constant index 1, a list 10, a map 30, constants 0, a call the
// cost of its overload. Each iteration of a comprehension costs the bookkeeping of the loop in the
// language definition of its macro. Source: cel-go 0.29, interpreter/runtimecost.go.
class Interpreter {
 public:
  Interpreter(const Activation& activation, uint64_t cost_limit, int slots)
      : activation_(activation), cost_limit_(cost_limit), locals_(static_cast<size_t>(slots)) {}

  Value Evaluate(const Expr& expr);

  uint64_t cost() const { return cost_; }

 private:
  Value EvaluateNode(const Expr& expr);
  Value EvaluateShortcut(const Expr& expr);
  Value EvaluateOperand(const Expr& expr);
  Value EvaluateIdentifier(const Expr& expr);
  Value EvaluateSelect(const Expr& expr);
  Value EvaluateHas(const Expr& expr);
  Value EvaluateIndex(const Expr& expr);
  Value EvaluateLogic(const Expr& expr, bool decisive);
  Value EvaluateConditional(const Expr& expr);
  Value EvaluateCall(const Expr& expr);
  Value EvaluateCall(const Expr& expr, std::span<Value> arguments);
  Value EvaluateList(const Expr& expr);
  Value EvaluateMap(const Expr& expr);

  // In comprehension.cc:
  Value EvaluateComprehension(const Expr& expr);
  Value EvaluateQuantifier(const Expr& expr, const Value& range);
  Value EvaluateExistsOne(const Expr& expr, const Value& range);
  Value EvaluateListBuilder(const Expr& expr, const Value& range);
  Value EvaluateMapBuilder(const Expr& expr, const Value& range);
  Value EvaluateSortBy(const Expr& expr, const Value& range);
  Value EvaluateOptionalMap(const Expr& expr, const Value& target, uint64_t target_cost);
  // Calls `turn` for each element with the variables set, until it returns false. Returns an error
  // if the range is not iterable, else true.
  Value ForEach(const Expr& expr, const Value& range, const std::function<bool()>& turn);
  // Reports whether the element passes the macro's filter, if it has one. Stores an error.
  bool PassesFilter(const Expr& expr, Value& error);

  void Charge(uint64_t cost) { cost_ += cost; }
  Value Call(const Expr& expr, std::span<const Value> arguments);

  const Activation& activation_;
  uint64_t cost_limit_;
  uint64_t cost_ = 0;
  std::vector<Value> locals_;
};

// Calls the first overload that accepts the arguments and adds its cost to `cost`.
Value ApplyOverloads(const Expr& expr, std::span<const Value> arguments, uint64_t& cost);

}  // namespace berth::cel
