// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scheduler/plugins/expression.h"

namespace berth::scheduler {

// ExpressionMessage is a text with holes, `{{ expression }}`, which the pod fills. A hole ends at the
// first `}}` outside of quotes, and must not read `node`: nodes are counted by the text that refused
// them, and five thousand nodes would give five thousand texts.
class ExpressionMessage {
 public:
  // Errors (kInvalid) show the hole.
  static Result<ExpressionMessage> Create(std::string_view text);

  bool is_constant() const { return holes_.empty(); }
  // For writes the text for a pod. A hole that cannot be evaluated shows why in its place.
  std::string For(const api::Pod& pod) const;

 private:
  std::vector<std::string> texts_;  // one more than there are holes: before, between and behind
  std::vector<Expression> holes_;
};

}  // namespace berth::scheduler
