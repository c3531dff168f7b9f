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

// Expressions of the Common Expression Language (CEL) over `pod` and `node`, for the plugin
// Expressions (docs/design/0028).
namespace berth::scheduler {

// Cost limits: of one evaluation, estimated at compile time and counted at run time, and of all
// filters in one scheduling attempt. A unit is some tens of nanoseconds.
inline constexpr uint64_t kEvaluationLimit = 300'000;
inline constexpr uint64_t kAttemptLimit = 20'000'000;

// Returns the cost budget of one scheduling attempt.
inline cel::Budget ExpressionBudget() { return cel::Budget(kAttemptLimit, kEvaluationLimit); }

// Returns the environment that declares `pod` and `node` with the fields that the scheduler
// decodes.
const cel::Environment& ExpressionEnvironment();

// Adds an injective encoding of the value to the key: different values add different bytes.
void AddValue(const cel::Value& value, KeyText& key);

// Expression is a compiled expression, divided into the parts that read only the pod, the parts
// that read only the node, and the rest, which combines their values. Immutable.
class Expression {
 public:
  enum class ResultType : uint8_t { kBool, kNumber, kAnything };

  // Compiles `text`. Errors (kInvalid) show line and column, and the found and expected type or the
  // part that costs too much.
  static Result<Expression> Create(std::string_view text, ResultType gives);

  const std::string& text() const { return text_; }
  bool reads_node() const { return reads_node_; }
  // Reports whether the result may have a fraction, so is not of type int.
  bool gives_fractions() const { return gives_fractions_; }
  // Reports whether all node fields that it reads are part of Epoch::kNodeObject, so that a result
  // may be cached until that epoch changes.
  bool is_tracked() const { return is_tracked_; }

  // Evaluates the parts that read only the node. The values may refer to the node and are valid as
  // long as it lives.
  std::vector<cel::Value> ValuesOf(const api::Node& node, cel::Budget& budget) const;

 private:
  friend class BoundExpression;
  Expression(std::string_view text, const cel::Program& program);

  std::string text_;
  cel::SplitExpression by_pod_;   // parts that read only the pod
  cel::SplitExpression by_node_;  // parts that read only the node; `rest` combines both
  bool reads_node_;
  bool gives_fractions_;
  bool is_tracked_;
};

// BoundExpression is an expression whose pod-only parts have been evaluated for one pod. It refers
// to the expression and the pod, which must outlive it. Owned by the scheduling thread.
class BoundExpression {
 public:
  // Evaluates the pod-only parts and charges their cost to the budget.
  BoundExpression(const Expression& expression, const api::Pod& pod, cel::Budget& budget);

  // Returns the expression's value for nodes with these Expression::ValuesOf, or an error value.
  // The value may refer to the pod and the node and is valid as long as both live.
  cel::Value For(std::span<const cel::Value> of_node, cel::Budget& budget);
  cel::Value For(const api::Node& node, cel::Budget& budget);
  // Returns the value for every node if the expression does not read `node`; else null.
  const cel::Value* fixed() const { return fixed_ ? &*fixed_ : nullptr; }

  // Adds the values of the pod-only parts to a key. Pods that add the same get the same value for
  // every node.
  void AddTo(KeyText& key) const;

 private:
  const Expression* expression_;
  std::vector<cel::Value> parts_;
  cel::Activation activation_;
  std::optional<cel::Value> fixed_;
};

}  // namespace berth::scheduler
