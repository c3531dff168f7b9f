// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scheduler/plugins/expressions/expression.h"

namespace berth::scheduler {

// ExpressionMessage is a text template with placeholders, `{{ expression }}`, that are evaluated
// for the pod. A placeholder ends at the first `}}` outside of quotes. It must not read `node`:
// nodes are counted by rejection message, and five thousand nodes would yield five thousand
// messages.
class ExpressionMessage {
 public:
  // Errors (kInvalid) show the placeholder.
  static Result<ExpressionMessage> Create(std::string_view text);

  bool is_constant() const { return holes_.empty(); }
  // Renders the text for a pod. A placeholder that fails to evaluate is rendered as its error in
  // parentheses.
  std::string For(const api::Pod& pod) const;

 private:
  std::vector<std::string> texts_;  // literal text around the holes: one more than holes
  std::vector<Expression> holes_;
};

}  // namespace berth::scheduler
