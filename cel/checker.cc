// SPDX-License-Identifier: Apache-2.0
#include "cel/checker.h"

#include <algorithm>
#include <optional>

#include "cel/function.h"
#include "cel/lexer.h"
#include "cel/macros.h"
#include "cel/suggest.h"
#include "cel/unify.h"

namespace berth::cel {
namespace {

constexpr unsigned kKeywordsAsFields = 31;

struct Local {
  std::string name;
  TypePtr type;
};

bool IsOpen(const Type& type) {
  return type.kind() == Kind::kDyn || type.kind() == Kind::kError ||
         type.kind() == Kind::kParameter;
}

// Returns the dotted name that a chain of fields spells, or nullopt.
std::optional<std::string> DottedName(const Expr& expr) {
  if (expr.kind == ExprKind::kIdentifier) return expr.name;
  if (expr.kind != ExprKind::kSelect) return std::nullopt;
  auto prefix = DottedName(*expr.args[0]);
  if (prefix) *prefix += "." + expr.name;
  return prefix;
}

class Checker {
 public:
  explicit Checker(const Environment& environment) : environment_(environment) {}

  Checked Run(Expr& root) {
    Visit(root);
    if (checked_.issues.empty()) Finish(root);
    return std::move(checked_);
  }

 private:
  void Report(const Expr& at, std::string message) {
    checked_.issues.push_back({at.position, std::move(message)});
  }

  std::string Shown(const TypePtr& type) { return ToString(*unifier_.Resolve(type, true)); }

  void ReportUndeclared(const Expr& at, const std::string& name) {
    Report(at, "undeclared reference to '" + name + "' (in container '')" +
                   (environment_.suggests_names() ? SuggestName(at, environment_) : ""));
  }

  void ReportMismatch(const Expr& at, const TypePtr& wanted, const TypePtr& found) {
    Report(at, "expected type '" + Shown(wanted) + "' but found '" + Shown(found) + "'");
  }

  void ReportNoOverload(const Expr& at, const std::string& function,
                        const std::vector<TypePtr>& types, bool is_member) {
    std::string applied = is_member ? Shown(types[0]) + ".(" : "(";
    for (size_t i = is_member ? 1 : 0; i < types.size(); ++i) {
      if (applied.back() != '(') applied += ", ";
      applied += Shown(types[i]);
    }
    Report(at, "found no matching overload for '" + function + "' applied to '" + applied + ")'");
  }

  // Sets expr.type.
  void Visit(Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kLiteral:
        expr.type = TypeOfValue(expr.literal);
        return;
      case ExprKind::kIdentifier:
        return VisitIdentifier(expr);
      case ExprKind::kSelect:
      case ExprKind::kOptionalSelect:
      case ExprKind::kHas:
        return VisitSelect(expr);
      case ExprKind::kIndex:
      case ExprKind::kOptionalIndex:
      case ExprKind::kCall:
        return VisitCall(expr);
      case ExprKind::kAnd:
      case ExprKind::kOr:
        return VisitLogic(expr);
      case ExprKind::kConditional:
        return VisitConditional(expr);
      case ExprKind::kList:
        return VisitList(expr);
      case ExprKind::kMap:
        return VisitMap(expr);
      case ExprKind::kStruct:
        ReportUndeclared(expr, expr.name);
        expr.type = Basic(Kind::kError);
        return;
      case ExprKind::kComprehension:
        return VisitComprehension(expr);
    }
  }

  void VisitIdentifier(Expr& expr) {
    const auto local = std::find_if(locals_.rbegin(), locals_.rend(),
                                    [&](const Local& known) { return known.name == expr.name; });
    if (local != locals_.rend()) {
      expr.slot = static_cast<int>(locals_.rend() - local) - 1;
      expr.type = local->type;
    } else if (TypePtr type = environment_.Find(expr.name)) {
      expr.type = std::move(type);
    } else if (TypePtr named = NamedType(expr.name)) {
      expr.kind = ExprKind::kLiteral;
      expr.literal = Value::Of(named);
      expr.type = TypeOf(std::move(named));
    } else {
      ReportUndeclared(expr, expr.name);
      expr.type = Basic(Kind::kError);
    }
  }

  // Reports whether a dotted name begins with a macro's variable.
  bool IsLocal(std::string_view dotted) const {
    const std::string_view root = dotted.substr(0, dotted.find('.'));
    return std::any_of(locals_.begin(), locals_.end(),
                       [&](const Local& known) { return known.name == root; });
  }

  void VisitSelect(Expr& expr) {
    if (expr.kind == ExprKind::kSelect) {
      const auto dotted = DottedName(expr);
      TypePtr named = dotted ? NamedType(*dotted) : nullptr;
      if (named != nullptr) {
        expr.kind = ExprKind::kLiteral;
        expr.literal = Value::Of(named);
        expr.type = TypeOf(std::move(named));
        expr.args.clear();
        return;
      }
      if (dotted && environment_.Find(*dotted) != nullptr && !IsLocal(*dotted)) {
        expr.kind = ExprKind::kIdentifier;
        expr.name = *dotted;
        expr.args.clear();
        return VisitIdentifier(expr);
      }
    }
    Visit(*expr.args[0]);
    TypePtr operand = unifier_.Resolve(expr.args[0]->type);
    const bool was_optional = operand->kind() == Kind::kOptional;
    if (was_optional) operand = unifier_.Resolve(operand->parameters()[0]);
    TypePtr field = FieldType(expr, operand);
    if (expr.kind == ExprKind::kHas) {
      expr.type = Basic(Kind::kBool);
    } else if (was_optional || expr.kind == ExprKind::kOptionalSelect) {
      expr.type = OptionalOf(std::move(field));
    } else {
      expr.type = std::move(field);
    }
  }

  // A field named like a reserved word is accessed by its escaped name (schema_type.h), since
  // Kubernetes 1.31 also by its plain name. Source: apiserver pkg/cel/environment/environment.go,
  // filterAndBuildOpts.
  TypePtr FieldType(Expr& expr, const TypePtr& operand) {
    if (operand->kind() == Kind::kMap) return operand->parameters()[1];
    if (operand->kind() == Kind::kObject) {
      auto field = operand->fields().find(expr.name);
      if (field == operand->fields().end() && environment_.Knows(kKeywordsAsFields) &&
          IsReservedWord(expr.name)) {
        field = operand->fields().find("__" + expr.name + "__");
        if (field != operand->fields().end()) expr.name = field->first;
      }
      if (field != operand->fields().end()) return field->second.type;
      Report(expr, "undefined field '" + expr.name + "'" +
                       (environment_.suggests_names() ? SuggestField(expr.name, *operand) : ""));
      return Basic(Kind::kError);
    }
    if (operand->kind() == Kind::kParameter) unifier_.IsAssignable(Basic(Kind::kDyn), operand);
    if (!IsOpen(*operand)) {
      Report(expr, "type '" + Shown(operand) + "' does not support field selection");
    }
    return Basic(Kind::kDyn);
  }

  // `a.b.f(x)` calls the function a.b.f if it exists, else the method f of a.b.
  void VisitCall(Expr& expr) {
    if (expr.is_member) {
      const auto prefix = DottedName(*expr.args[0]);
      if (prefix && !environment_.FindFunction(*prefix + "." + expr.name).empty()) {
        expr.name = *prefix + "." + expr.name;
        expr.is_member = false;
        expr.args.erase(expr.args.begin());
      }
    }
    std::vector<TypePtr> types;
    for (const ExprPtr& arg : expr.args) {
      Visit(*arg);
      types.push_back(arg->type);
    }
    const std::span<const Overload> overloads = environment_.FindFunction(expr.name);
    if (overloads.empty()) {
      ReportUndeclared(expr, expr.name);
      expr.type = Basic(Kind::kError);
      return;
    }
    expr.type = ResolveOverloads(overloads, types, expr.is_member, expr.overloads);
    if (expr.type != nullptr) return;
    ReportNoOverload(expr, expr.name, types, expr.is_member);
    expr.type = Basic(Kind::kError);
  }

  // Collects the matching overloads and returns their common result type, dyn if they differ, null
  // if there are none.
  TypePtr ResolveOverloads(std::span<const Overload> overloads, const std::vector<TypePtr>& types,
                           bool is_member, std::vector<const Overload*>& fitting) {
    TypePtr result;
    for (const Overload& overload : overloads) {
      if (overload.is_member != is_member || overload.parameters.size() != types.size()) continue;
      std::vector<TypePtr> wanted = overload.parameters;
      wanted.push_back(overload.result);
      wanted = unifier_.Instantiate(std::move(wanted));
      const TypePtr own_result = wanted.back();
      wanted.pop_back();
      if (!unifier_.AreAssignable(types, wanted)) continue;
      fitting.push_back(&overload);
      TypePtr resolved = unifier_.Resolve(own_result);
      if (result == nullptr) {
        result = std::move(resolved);
      } else if (!IsSame(*result, *resolved)) {
        result = Basic(Kind::kDyn);
      }
    }
    return result;
  }

  void VisitLogic(Expr& expr) {
    for (const ExprPtr& arg : expr.args) {
      Visit(*arg);
      RequireBool(*arg);
    }
    expr.type = Basic(Kind::kBool);
  }

  void RequireBool(const Expr& expr) {
    if (unifier_.IsAssignable(Basic(Kind::kBool), expr.type)) return;
    ReportMismatch(expr, Basic(Kind::kBool), expr.type);
  }

  void VisitConditional(Expr& expr) {
    for (const ExprPtr& arg : expr.args) Visit(*arg);
    expr.type = ConditionalType(expr, expr.args[0]->type, expr.args[1]->type, expr.args[2]->type);
  }

  TypePtr ConditionalType(const Expr& at, const TypePtr& condition, const TypePtr& then,
                          const TypePtr& otherwise) {
    const TypePtr any = unifier_.Fresh();
    if (unifier_.AreAssignable({condition, then, otherwise}, {Basic(Kind::kBool), any, any})) {
      return unifier_.Resolve(any);
    }
    ReportNoOverload(at, "_?_:_", {condition, then, otherwise}, false);
    return Basic(Kind::kError);
  }

  // Returns the type that includes both. Validate reports literals that must not mix types.
  TypePtr Join(const TypePtr& before, const TypePtr& next) {
    if (before == nullptr) return next;
    if (unifier_.IsAssignable(before, next)) return unifier_.MostGeneral(before, next);
    return Basic(Kind::kDyn);
  }

  // Returns the type held by an element marked with `?`, which must be an optional.
  TypePtr Unwrapped(const Expr& expr) {
    TypePtr type = unifier_.Resolve(expr.type);
    if (type->kind() == Kind::kOptional) return type->parameters()[0];
    if (type->kind() != Kind::kDyn) ReportMismatch(expr, OptionalOf(type), type);
    return type;
  }

  void VisitList(Expr& expr) {
    TypePtr element;
    for (size_t i = 0; i < expr.args.size(); ++i) {
      Expr& arg = *expr.args[i];
      Visit(arg);
      element = Join(element, expr.optional[i] ? Unwrapped(arg) : arg.type);
    }
    expr.type = ListOf(element == nullptr ? unifier_.Fresh() : element);
  }

  void VisitMap(Expr& expr) {
    TypePtr key_type;
    TypePtr value_type;
    for (size_t i = 0; i < expr.optional.size(); ++i) {
      Expr& key = *expr.args[2 * i];
      Expr& value = *expr.args[2 * i + 1];
      Visit(key);
      key_type = Join(key_type, key.type);
      Visit(value);
      value_type = Join(value_type, expr.optional[i] ? Unwrapped(value) : value.type);
    }
    if (key_type == nullptr) {
      key_type = unifier_.Fresh();
      value_type = unifier_.Fresh();
    }
    expr.type = MapOf(std::move(key_type), std::move(value_type));
  }

  void Declare(const std::string& name, TypePtr type, int& slot) {
    slot = static_cast<int>(locals_.size());
    locals_.push_back({name, std::move(type)});
    checked_.slots = std::max(checked_.slots, static_cast<int>(locals_.size()));
  }

  struct ElementTypes {
    TypePtr key;    // index of a list, key of a map
    TypePtr value;  // element of a list, value of a map
    bool is_list;
  };

  ElementTypes TypesOfRange(const Expr& range) {
    const TypePtr type = unifier_.Resolve(range.type);
    const TypePtr& dyn = Basic(Kind::kDyn);
    if (type->kind() == Kind::kList) return {Basic(Kind::kInt), type->parameters()[0], true};
    if (type->kind() == Kind::kMap) return {type->parameters()[0], type->parameters()[1], false};
    if (type->kind() == Kind::kParameter) unifier_.IsAssignable(dyn, type);
    if (!IsOpen(*type)) {
      Report(range, "expression of type '" + Shown(type) +
                        "' cannot be range of a comprehension (must be list, map, or dynamic)");
      return {Basic(Kind::kError), Basic(Kind::kError), true};
    }
    return {dyn, dyn, false};
  }

  void VisitComprehension(Expr& expr) {
    Expr& range = *expr.args[0];
    Visit(range);
    if (!environment_.Knows(MacroIntroduced(expr))) {
      ReportUndeclared(expr, expr.name);
      expr.type = Basic(Kind::kError);
      return;
    }
    if (expr.macro == Macro::kOptMap || expr.macro == Macro::kOptFlatMap) {
      return VisitOptionalMap(expr);
    }
    const ElementTypes types = TypesOfRange(range);
    const TypePtr& first = types.is_list && expr.variable2.empty() ? types.value : types.key;
    Declare(expr.variable, first, expr.slot);
    if (!expr.variable2.empty()) Declare(expr.variable2, types.value, expr.slot2);
    for (size_t i = 1; i < expr.args.size(); ++i) Visit(*expr.args[i]);
    expr.type = ResultType(expr, first, types);
    locals_.resize(locals_.size() - (expr.variable2.empty() ? 1 : 2));
  }

  TypePtr ResultType(Expr& expr, const TypePtr& element, const ElementTypes& types) {
    const Expr& body = *expr.args.back();
    if (expr.args.size() == 3) {
      const TypePtr list = ListOf(body.type);
      ConditionalType(expr, expr.args[1]->type, list, list);
    }
    switch (expr.macro) {
      case Macro::kAll:
      case Macro::kExists:
        RequireBool(body);
        return Basic(Kind::kBool);
      case Macro::kExistsOne:
        ConditionalType(expr, body.type, Basic(Kind::kInt), Basic(Kind::kInt));
        return Basic(Kind::kBool);
      case Macro::kFilter:
        return ConditionalType(expr, body.type, ListOf(element), ListOf(element));
      case Macro::kEach:
      case Macro::kTransformList:
        return ListOf(body.type);
      case Macro::kTransformMap:
        return MapOf(types.key, body.type);
      case Macro::kTransformMapEntry: {
        const TypePtr map = MapOf(unifier_.Fresh(), unifier_.Fresh());
        if (!unifier_.IsAssignable(map, body.type)) ReportMismatch(body, map, body.type);
        return unifier_.Resolve(map);
      }
      default:
        return SortedType(expr, body, element);
    }
  }

  // The keys of sortBy must be ordered; sort() has the list of ordered types.
  TypePtr SortedType(Expr& expr, const Expr& body, const TypePtr& element) {
    const std::vector<TypePtr> keys = {ListOf(body.type)};
    if (ResolveOverloads(FindFunction("sort"), keys, true, expr.overloads) == nullptr) {
      ReportNoOverload(expr, "sortBy", keys, true);
    }
    return expr.args[0]->type->kind() == Kind::kDyn ? Basic(Kind::kDyn) : ListOf(element);
  }

  void VisitOptionalMap(Expr& expr) {
    const TypePtr held = unifier_.Fresh();
    if (!unifier_.IsAssignable(expr.args[0]->type, OptionalOf(held))) {
      ReportNoOverload(expr, "hasValue", {expr.args[0]->type}, true);
    }
    Declare(expr.variable, unifier_.Resolve(held), expr.slot);
    Expr& body = *expr.args[1];
    Visit(body);
    locals_.pop_back();
    if (expr.macro == Macro::kOptMap) {
      expr.type = OptionalOf(body.type);
      return;
    }
    const TypePtr none = OptionalOf(unifier_.Fresh());
    expr.type = ConditionalType(expr, Basic(Kind::kBool), body.type, none);
  }

  // Replaces type parameters by the inferred types.
  void Finish(Expr& expr) {
    expr.type = unifier_.Resolve(expr.type, true);
    for (const ExprPtr& arg : expr.args) Finish(*arg);
  }

  const Environment& environment_;
  Unifier unifier_;
  std::vector<Local> locals_;  // innermost last; the index is the slot
  Checked checked_;
};

}  // namespace

Checked Check(Expr& root, const Environment& environment) { return Checker(environment).Run(root); }

}  // namespace berth::cel
