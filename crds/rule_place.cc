// SPDX-License-Identifier: Apache-2.0
#include "crds/rule_place.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <ranges>
#include <utility>

#include "base/json/json.h"
#include "cel/activation.h"
#include "cel/json_value.h"
#include "cel/schema_type.h"

namespace berth::crds {
namespace {

using cel::Expr;
using cel::ExprKind;
using cel::Macro;

// Returns a copy in which a local variable is a variable of the activation.
cel::ExprPtr WithoutLocal(const Expr& expr, int slot) {
  cel::ExprPtr copy = cel::Copy(expr);
  const auto visit = [slot](const auto& self, Expr& at) -> void {
    if (at.kind == ExprKind::kIdentifier && at.slot == slot) at.slot = -1;
    for (cel::ExprPtr& arg : at.args) self(self, *arg);
  };
  visit(visit, *copy);
  return copy;
}

class PlaceFinder {
 public:
  PlaceFinder(int slots, cel::Budget& budget) : slots_(slots), budget_(budget) {}

  void Bind(std::string name, Place place, cel::Value value) {
    scope_.push_back({std::move(name), std::move(place), std::move(value)});
  }

  // Adds the places because of which the expression does not have this value.
  void Visit(const Expr& expr, bool wanted) {
    const ExprKind needs_all = wanted ? ExprKind::kAnd : ExprKind::kOr;
    const ExprKind needs_one = wanted ? ExprKind::kOr : ExprKind::kAnd;
    if (expr.kind == needs_all) {
      for (const cel::ExprPtr& arg : expr.args) {
        if (!Is(*arg, wanted)) return Visit(*arg, wanted);
      }
    }
    if (expr.kind == needs_one) return Visit(*expr.args.back(), wanted);
    if (expr.kind == ExprKind::kCall && expr.name == "!_") return Visit(*expr.args[0], !wanted);
    if (IsComprehension(expr, wanted ? Macro::kAll : Macro::kExists)) {
      const size_t before = found_.size();
      ForEntries(expr, [&](const Expr& body) {
        if (!Is(body, wanted)) Visit(body, wanted);
      });
      if (found_.size() > before) return;
    }
    AddRead(expr);
  }

  std::vector<Place> Take() { return std::move(found_); }

 private:
  struct Variable {
    std::string name;
    Place place;
    cel::Value value;
  };

  bool IsComprehension(const Expr& expr, Macro macro) const {
    return expr.kind == ExprKind::kComprehension && expr.macro == macro && expr.slot2 < 0 &&
           expr.args.size() == 2 && PlaceOf(*expr.args[0]).has_value();
  }

  // Calls `visit` with the body for each entry, bound as the variable.
  template <class Visitor>
  void ForEntries(const Expr& comprehension, const Visitor& visit) {
    const cel::ExprPtr body = WithoutLocal(*comprehension.args[1], comprehension.slot);
    const Place list = *PlaceOf(*comprehension.args[0]);
    const bool has_items = list.schema != nullptr && list.schema->items;
    const cel::TypePtr type =
        has_items ? cel::TypeOfSchemaText(json::Encode(*list.schema->items)) : nullptr;
    for (Place& entry : list.Entries()) {
      cel::Value value =
          entry.key ? cel::Value::String(*entry.key) : cel::ViewOf(*entry.value, type);
      Bind(comprehension.variable, std::move(entry), std::move(value));
      visit(*body);
      scope_.pop_back();
    }
  }

  bool Is(const Expr& expr, bool wanted) {
    cel::Activation activation;
    for (const Variable& variable : scope_) activation.Bind(variable.name, variable.value);
    // The program is gone before the expression, which it does not own.
    const std::shared_ptr<const Expr> borrowed(std::shared_ptr<const Expr>(), &expr);
    const cel::Value value = cel::Program(borrowed, slots_).Run(activation, budget_);
    return value.Is(cel::Kind::kBool) && value.AsBool() == wanted;
  }

  std::optional<Place> PlaceOf(const Expr& expr) const {
    if (expr.kind == ExprKind::kIdentifier) {
      if (expr.slot >= 0) return std::nullopt;
      for (const Variable& variable : std::views::reverse(scope_)) {
        if (variable.name == expr.name) return variable.place;
      }
      return std::nullopt;
    }
    if (expr.kind != ExprKind::kSelect && expr.kind != ExprKind::kHas) return std::nullopt;
    const auto object = PlaceOf(*expr.args[0]);
    return object ? std::optional(object->Member(expr.name)) : std::nullopt;
  }

  // Adds the deepest of the places that the expression reads.
  void AddRead(const Expr& expr) {
    std::vector<Place> read;
    AddAllRead(expr, read);
    if (read.empty()) read.push_back(scope_.front().place);
    found_.push_back(*std::ranges::max_element(read, {}, &Place::depth));
  }

  // Of a filter it is the last element that passes.
  void AddAllRead(const Expr& expr, std::vector<Place>& read) {
    if (auto place = PlaceOf(expr)) {
      read.push_back(std::move(*place));
    } else if (IsComprehension(expr, Macro::kFilter)) {
      std::vector<Place> of_last;
      ForEntries(expr, [&](const Expr& body) {
        if (!Is(body, true)) return;
        of_last.clear();
        AddAllRead(body, of_last);
      });
      read.insert(read.end(), of_last.begin(), of_last.end());
    } else {
      for (const cel::ExprPtr& arg : expr.args) AddAllRead(*arg, read);
    }
  }

  int slots_;
  cel::Budget& budget_;
  std::vector<Variable> scope_;
  std::vector<Place> found_;
};

}  // namespace

std::vector<Place> PlacesThatBreak(const cel::Program& rule, const Place& self,
                                   const cel::TypePtr& type_of_self, cel::Budget& budget) {
  PlaceFinder finder(rule.slots(), budget);
  finder.Bind("self", self, cel::ViewOf(*self.value, type_of_self));
  finder.Visit(rule.root(), true);
  return finder.Take();
}

}  // namespace berth::crds
