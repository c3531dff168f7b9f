// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "cel/prepare.h"
#include "cel/struct_value.h"

namespace berth::cel {
namespace {

using JsonKind = json::Type::Kind;

// StructPath goes from a struct through fields of structs to a field, and to an entry of it if it is
// a map: what it looks up in types, it looks up once.
class StructPath final : public Shortcut {
 public:
  // Of gives the path that the expression spells, or null.
  static std::shared_ptr<const StructPath> Of(const Expr& expr, const json::Type& root) {
    auto path = std::make_shared<StructPath>();
    const Expr* fields = &expr;
    if (expr.kind == ExprKind::kIndex) {
      const Expr& key = *expr.args[1];
      if (key.kind != ExprKind::kLiteral || !key.literal.Is(Kind::kString)) return nullptr;
      path->key_ = std::string(key.literal.AsString());
      fields = expr.args[0].get();
    }
    const json::Type* end = path->Follow(*fields, root);
    if (end == nullptr || path->steps_.empty()) return nullptr;
    path->end_ = end;
    if (path->key_ && end->kind != JsonKind::kMap) return nullptr;
    path->missing_ = Value::Error("no such key: " + path->key_.value_or(fields->name));
    return path;
  }

  Value Read(const Value& variable) const override {
    const void* at = StructOf(variable);
    for (const Step& step : steps_) {
      if (at == nullptr) break;
      at = static_cast<const std::byte*>(at) + step.offset;
      if (step.get != nullptr) at = step.get(at);
    }
    if (at == nullptr && is_plain_optional_) return missing_;
    return (key_ ? FindStructEntry(*end_, at, *key_) : ReadStruct(*end_, at)).value_or(missing_);
  }

 private:
  struct Step {
    size_t offset;
    const void* (*get)(const void* value);  // of an optional; null: it is none
  };

  // Follow adds the steps of a chain of fields and gives the type that it ends at, or null.
  const json::Type* Follow(const Expr& expr, const json::Type& root) {
    if (expr.kind == ExprKind::kIdentifier) return &root;
    if (expr.kind != ExprKind::kSelect) return nullptr;
    const json::Type* parent = Follow(*expr.args[0], root);
    if (parent == nullptr || parent->kind != JsonKind::kObject) return nullptr;
    const json::Type::Field* field = FindStructField(*parent, expr.name);
    if (field == nullptr) return nullptr;
    const json::Type& type = field->type();
    const bool is_optional = type.kind == JsonKind::kOptional;
    steps_.push_back({field->offset, is_optional ? type.get : nullptr});
    const json::Type& content = is_optional ? type.element() : type;
    if (content.kind == JsonKind::kOptional) return nullptr;
    is_plain_optional_ = is_optional && content.kind != JsonKind::kObject &&
                         content.kind != JsonKind::kList && content.kind != JsonKind::kMap;
    return &content;
  }

  std::vector<Step> steps_;
  const json::Type* end_ = nullptr;
  bool is_plain_optional_ = false;  // the end is a plain value that may be absent
  std::optional<std::string> key_;
  Value missing_;
};

const Expr* RootOf(const Expr& expr) {
  const Expr* at = &expr;
  while (at->kind == ExprKind::kSelect || at->kind == ExprKind::kIndex) at = at->args[0].get();
  return at->kind == ExprKind::kIdentifier && at->slot < 0 ? at : nullptr;
}

}  // namespace

void Shorten(Expr& root, const Environment& environment) {
  if (root.kind == ExprKind::kSelect || root.kind == ExprKind::kIndex) {
    const Expr* variable = RootOf(root);
    const json::Type* type = variable == nullptr ? nullptr : environment.FindStruct(variable->name);
    if (type != nullptr) root.shortcut = StructPath::Of(root, *type);
    if (root.shortcut != nullptr) root.root = variable;
  }
  for (const ExprPtr& arg : root.args) Shorten(*arg, environment);
}

}  // namespace berth::cel
