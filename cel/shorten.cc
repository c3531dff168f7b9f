// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "cel/cost.h"
#include "cel/prepare.h"
#include "cel/struct_value.h"
#include "cel/unicode.h"

namespace berth::cel {
namespace {

using JsonKind = json::Type::Kind;

// StructPath is a path from a struct through fields of structs to a field, and to an entry if the
// field is a map. Types are looked up only once.
class StructPath final : public Shortcut {
 public:
  // Returns the path that the expression spells, or null.
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
    path->cost_ = path->steps_.size() + 1 + (path->key_ ? 1 : 0);
    path->missing_ = Value::Error("no such key: " + path->key_.value_or(fields->name));
    return path;
  }

  Value Evaluate(const Value& variable, uint64_t& cost) const override {
    cost += cost_;
    const void* at = At(variable);
    if (at == nullptr && is_plain_optional_) return missing_;
    return (key_ ? FindStructEntry(*end_, at, *key_) : ReadStruct(*end_, at)).value_or(missing_);
  }

  bool LeadsToText() const { return (key_ ? end_->element() : *end_).kind == JsonKind::kString; }
  bool LeadsToMapOfTexts() const {
    return !key_ && end_->kind == JsonKind::kMap && end_->element().kind == JsonKind::kString;
  }
  // Returns the string, or null if it is missing; `missing` then returns the error. Requires:
  // LeadsToText().
  const std::string* Text(const Value& variable) const {
    static const std::string kEmpty;
    const void* at = At(variable);
    if (key_) return at == nullptr ? nullptr : FindLabel(at, *key_);
    if (at != nullptr) return static_cast<const std::string*>(at);
    return is_plain_optional_ ? nullptr : &kEmpty;
  }
  // Requires: LeadsToMapOfTexts().
  bool HasEntry(const Value& variable, const std::string& key) const {
    const void* at = At(variable);
    return at != nullptr && FindLabel(at, key) != nullptr;
  }
  const Value& missing() const { return missing_; }
  uint64_t cost() const { return cost_; }

 private:
  struct Step {
    size_t offset;
    const void* (*get)(const void* value);  // for an optional; null: not an optional
  };

  // Returns the target of the path, or null if a part of it is absent.
  const void* At(const Value& variable) const {
    const void* at = StructOf(variable);
    for (const Step& step : steps_) {
      if (at == nullptr) break;
      at = static_cast<const std::byte*>(at) + step.offset;
      if (step.get != nullptr) at = step.get(at);
    }
    return at;
  }

  static const std::string* FindLabel(const void* map, const std::string& key) {
    const auto& texts = *static_cast<const std::map<std::string, std::string>*>(map);
    const auto found = texts.find(key);
    return found == texts.end() ? nullptr : &found->second;
  }

  // Appends the steps of a chain of fields and returns its final type, or null.
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
  bool is_plain_optional_ = false;  // the target is an optional plain value
  std::optional<std::string> key_;
  Value missing_;
  uint64_t cost_ = 0;  // one per step, including the variable
};

// TextComparison evaluates `path == 'text'`, or `!=`, without creating values.
class TextComparison final : public Shortcut {
 public:
  TextComparison(std::shared_ptr<const StructPath> path, std::string_view text, bool is_equal)
      : path_(std::move(path)), text_(text), length_(CountCodePoints(text)), is_equal_(is_equal) {}

  Value Evaluate(const Value& variable, uint64_t& cost) const override {
    const std::string* found = path_->Text(variable);
    cost += path_->cost();
    cost += found == nullptr ? 1 : TextCost(std::min(CountCodePoints(*found), length_));
    return found == nullptr ? path_->missing() : Value::Bool((*found == text_) == is_equal_);
  }

 private:
  std::shared_ptr<const StructPath> path_;
  std::string text_;
  size_t length_;
  bool is_equal_;
};

// KeyTest evaluates `'key' in path`.
class KeyTest final : public Shortcut {
 public:
  KeyTest(std::shared_ptr<const StructPath> path, std::string_view key)
      : path_(std::move(path)), key_(key) {}

  Value Evaluate(const Value& variable, uint64_t& cost) const override {
    cost += path_->cost() + 1;
    return Value::Bool(path_->HasEntry(variable, key_));
  }

 private:
  std::shared_ptr<const StructPath> path_;
  std::string key_;
};

bool IsConstantText(const Expr& expr) {
  return expr.kind == ExprKind::kLiteral && expr.literal.Is(Kind::kString);
}

// Sets the shortcut of a comparison of a path with a constant.
void ShortenCall(Expr& call) {
  const bool is_equal = call.name == "_==_";
  const bool is_in = call.name == "@in";
  if (call.args.size() != 2 || (!is_equal && !is_in && call.name != "_!=_")) return;
  const size_t text_at = IsConstantText(*call.args[0]) ? 0 : 1;
  const Expr& text = *call.args[text_at];
  const Expr& other = *call.args[1 - text_at];
  const auto path = std::dynamic_pointer_cast<const StructPath>(other.shortcut);
  if (path == nullptr || !IsConstantText(text)) return;
  if (is_in && text_at == 0 && path->LeadsToMapOfTexts()) {
    call.shortcut = std::make_shared<KeyTest>(path, text.literal.AsString());
  } else if (!is_in && path->LeadsToText()) {
    call.shortcut = std::make_shared<TextComparison>(path, text.literal.AsString(), is_equal);
  }
  if (call.shortcut != nullptr) call.root = other.root;
}

const Expr* RootOf(const Expr& expr) {
  const Expr* at = &expr;
  while (at->kind == ExprKind::kSelect || at->kind == ExprKind::kIndex) at = at->args[0].get();
  return at->kind == ExprKind::kIdentifier && at->slot < 0 ? at : nullptr;
}

}  // namespace

void Shorten(Expr& root, const Environment& environment) {
  for (const ExprPtr& arg : root.args) Shorten(*arg, environment);
  if (root.kind == ExprKind::kCall) return ShortenCall(root);
  if (root.kind != ExprKind::kSelect && root.kind != ExprKind::kIndex) return;
  const Expr* variable = RootOf(root);
  const json::Type* type = variable == nullptr ? nullptr : environment.FindStruct(variable->name);
  if (type == nullptr) return;
  root.shortcut = StructPath::Of(root, *type);
  root.root = variable->name;
}

}  // namespace berth::cel
