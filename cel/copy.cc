// SPDX-License-Identifier: Apache-2.0
#include "cel/ast.h"

namespace berth::cel {
ExprPtr Copy(const Expr& expr) {
  auto copy = std::make_unique<Expr>();
  copy->kind = expr.kind;
  copy->position = expr.position;
  copy->height = expr.height;
  copy->literal = expr.literal;
  copy->name = expr.name;
  copy->is_member = expr.is_member;
  copy->optional = expr.optional;
  copy->macro = expr.macro;
  copy->variable = expr.variable;
  copy->variable2 = expr.variable2;
  copy->type = expr.type;
  copy->overloads = expr.overloads;
  copy->slot = expr.slot;
  copy->slot2 = expr.slot2;
  copy->regex = expr.regex;
  copy->shortcut = expr.shortcut;
  copy->root = expr.root;
  for (const ExprPtr& arg : expr.args) copy->args.push_back(Copy(*arg));
  return copy;
}

}  // namespace berth::cel
