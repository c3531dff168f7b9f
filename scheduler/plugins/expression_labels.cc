// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/expression_labels.h"

#include <memory>
#include <string>
#include <utility>

#include "cel/cost.h"
#include "cel/struct_value.h"
#include "scheduler/model/node_info.h"

namespace berth::scheduler {
namespace {

constexpr uint64_t kLabelsCost = 3;  // node, metadata, labels

enum class Test : uint8_t { kHas, kEqual, kNotEqual };

class LabelShortcut final : public cel::Shortcut {
 public:
  LabelShortcut(Test test, std::string_view key, std::string_view value, Vocabulary& words,
                std::shared_ptr<const cel::Shortcut> of_object)
      : test_(test),
        key_(words.Intern(key)),
        value_(words.Intern(value)),
        cost_(kLabelsCost + 1 + (test == Test::kHas ? 0 : cel::TextCost(value.size()))),
        missing_(cel::Value::Error("no such key: " + std::string(key))),
        of_object_(std::move(of_object)) {}

  cel::Value Evaluate(const cel::Value& variable, uint64_t& cost) const override {
    const auto* info = static_cast<const NodeInfo*>(cel::StructVariable::CompanionOf(variable));
    if (info == nullptr) return of_object_->Evaluate(variable, cost);
    cost += cost_;
    const auto found = info->labels.Value(key_);
    if (test_ == Test::kHas) return cel::Value::Bool(found.has_value());
    if (!found) return missing_;
    return cel::Value::Bool((*found == value_.symbol()) == (test_ == Test::kEqual));
  }

 private:
  Test test_;
  Word key_, value_;
  uint64_t cost_;
  cel::Value missing_;
  std::shared_ptr<const cel::Shortcut> of_object_;
};

bool IsText(const cel::Expr& expr) {
  return expr.kind == cel::ExprKind::kLiteral && expr.literal.Is(cel::Kind::kString);
}

bool IsLabelsOfNode(const cel::Expr& expr) {
  const auto is_field = [](const cel::Expr& at, std::string_view name) {
    return at.kind == cel::ExprKind::kSelect && at.name == name;
  };
  if (!is_field(expr, "labels") || !is_field(*expr.args[0], "metadata")) return false;
  const cel::Expr& variable = *expr.args[0]->args[0];
  return variable.kind == cel::ExprKind::kIdentifier && variable.slot < 0 &&
         variable.name == "node";
}

std::shared_ptr<const cel::Shortcut> ShortcutFor(const cel::Expr& call, Vocabulary& words) {
  const cel::Expr& a = *call.args[0];
  const cel::Expr& b = *call.args[1];
  if (call.name == "@in") {
    if (!IsText(a) || !IsLabelsOfNode(b)) return call.shortcut;
    return std::make_shared<LabelShortcut>(Test::kHas, a.literal.AsString(), "", words,
                                           call.shortcut);
  }
  const cel::Expr& text = IsText(a) ? a : b;
  const cel::Expr& label = IsText(a) ? b : a;
  if (label.kind != cel::ExprKind::kIndex || !IsLabelsOfNode(*label.args[0])) return call.shortcut;
  return std::make_shared<LabelShortcut>(call.name == "_==_" ? Test::kEqual : Test::kNotEqual,
                                         label.args[1]->literal.AsString(), text.literal.AsString(),
                                         words, call.shortcut);
}

}  // namespace

// Calls that have a shortcut are comparisons of a path with a constant text (cel/prepare.h).
void AskLabelSets(cel::Expr& root, Vocabulary& words) {
  for (const cel::ExprPtr& arg : root.args) AskLabelSets(*arg, words);
  if (root.kind != cel::ExprKind::kCall || root.shortcut == nullptr) return;
  root.shortcut = ShortcutFor(root, words);
}

}  // namespace berth::scheduler
