// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/error.h"
#include "cel/activation.h"
#include "cel/divide.h"
#include "cel/environment.h"
#include "cel/struct_value.h"
#include "scheduler/model/key_text.h"

// Expressions of the Common Expression Language over `pod` and `node`: what the plugin Expressions is
// made of (docs/design/0028).
namespace berth::scheduler {

// What one evaluation may cost, estimated when the expression is compiled and counted when it runs,
// and what those of all filters may in one attempt. A unit is some tens of nanoseconds.
inline constexpr uint64_t kEvaluationLimit = 300'000;
inline constexpr uint64_t kAttemptLimit = 20'000'000;

// ExpressionBudget is that of an attempt.
inline cel::Budget ExpressionBudget() { return cel::Budget(kAttemptLimit, kEvaluationLimit); }

// ExpressionEnvironment declares `pod` and `node` with the fields that a scheduler knows of them.
const cel::Environment& ExpressionEnvironment();

// AddValue adds a value so that no other value adds the same.
void AddValue(const cel::Value& value, KeyText& key);

// Expression is a compiled expression, divided into what it reads of the pod alone, what it reads of
// the node alone, and the rest, which reads what came of them. Immutable.
class Expression {
 public:
  enum class Gives : uint8_t { kBool, kNumber, kAnything };

  // Create compiles. Errors (kInvalid) show line and column, what was found and expected, or what
  // would cost too much.
  static Result<Expression> Create(std::string_view text, Gives gives);

  const std::string& text() const { return text_; }
  bool reads_node() const { return reads_node_; }
  // gives_fractions says that a number need not be whole.
  bool gives_fractions() const { return gives_fractions_; }
  // IsTracked says that all it reads of a node is part of Epoch::kNodeObject, so that an answer may
  // be kept until that moves.
  bool is_tracked() const { return is_tracked_; }

  // ValuesOf evaluates what reads the node alone. Views in the values are good as long as the node.
  std::vector<cel::Value> ValuesOf(const api::Node& node, cel::Budget& budget) const;

 private:
  friend class BoundExpression;
  Expression(std::string_view text, const cel::Program& program);

  std::string text_;
  cel::Divided by_pod_;   // its parts read the pod alone
  cel::Divided by_node_;  // its parts read the node alone, its rest what came of both
  bool reads_node_;
  bool gives_fractions_;
  bool is_tracked_;
};

// BoundExpression is an expression with what it reads of one pod, evaluated once. It refers to both,
// which must outlive it. Owned by the scheduling thread.
class BoundExpression {
 public:
  // Spends from the budget what the parts cost that read the pod alone.
  BoundExpression(const Expression& expression, const api::Pod& pod, cel::Budget& budget);

  // For gives the value for nodes of which Expression::ValuesOf gives this, or the error that stands
  // in its place. Views in the value are good as long as pod and node.
  cel::Value For(std::span<const cel::Value> of_node, cel::Budget& budget);
  cel::Value For(const api::Node& node, cel::Budget& budget);
  // Fixed is the value for every node, where no node is read; else null.
  const cel::Value* fixed() const { return fixed_ ? &*fixed_ : nullptr; }

  // AddTo adds what the pod comes to: for pods that add the same, values for each node are the same.
  void AddTo(KeyText& key) const;

 private:
  const Expression* expression_;
  std::vector<cel::Value> parts_;
  cel::Activation activation_;
  std::optional<cel::Value> fixed_;
};

}  // namespace berth::scheduler
