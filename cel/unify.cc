// SPDX-License-Identifier: Apache-2.0
#include "cel/unify.h"

#include <algorithm>

namespace berth::cel {
namespace {

bool IsDynOrError(const Type& type) {
  return type.kind() == Kind::kDyn || type.kind() == Kind::kError;
}

// Null is allowed where the type is a message in protocol buffers.
bool AcceptsNull(const Type& type) {
  switch (type.kind()) {
    case Kind::kNull:
    case Kind::kOpaque:
    case Kind::kOptional:
    case Kind::kObject:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return true;
    default:
      return false;
  }
}

TypePtr Rebuild(const Type& type, std::vector<TypePtr> parameters) {
  return std::make_shared<const Type>(type.kind(), type.name(), std::move(parameters));
}

bool IsAsGeneral(const Type& a, const Type& b) {
  const auto is_open = [](const Type& type) {
    return IsDynOrError(type) || type.kind() == Kind::kParameter;
  };
  if (is_open(a)) return true;
  if (is_open(b)) return false;
  if (a.kind() != b.kind() || a.parameters().size() != b.parameters().size()) return false;
  for (size_t i = 0; i < a.parameters().size(); ++i) {
    if (!IsAsGeneral(*a.parameters()[i], *b.parameters()[i])) return false;
  }
  return true;
}

}  // namespace

TypePtr Unifier::Fresh() { return ParameterOf("_" + std::to_string(next_++)); }

std::vector<TypePtr> Unifier::Instantiate(std::vector<TypePtr> types) {
  std::map<std::string, TypePtr> fresh;
  const auto replace = [&](const auto& self, const TypePtr& type) -> TypePtr {
    if (type->kind() == Kind::kParameter) {
      TypePtr& made = fresh[type->name()];
      if (made == nullptr) made = Fresh();
      return made;
    }
    if (type->parameters().empty()) return type;
    std::vector<TypePtr> parameters;
    for (const TypePtr& parameter : type->parameters()) parameters.push_back(self(self, parameter));
    return Rebuild(*type, std::move(parameters));
  };
  for (TypePtr& type : types) type = replace(replace, type);
  return types;
}

const TypePtr* Unifier::Binding(const Type& parameter) const {
  const auto found = bindings_.find(parameter.name());
  return found == bindings_.end() ? nullptr : &found->second;
}

void Unifier::Bind(const Type& parameter, TypePtr type) {
  TypePtr& bound = bindings_[parameter.name()];
  trail_.emplace_back(parameter.name(), bound);
  bound = std::move(type);
}

void Unifier::RollBack(size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    auto& [name, before] = trail_.back();
    if (before == nullptr) {
      bindings_.erase(name);
    } else {
      bindings_[name] = std::move(before);
    }
  }
}

bool Unifier::IsAssignable(const TypePtr& a, const TypePtr& b) {
  const size_t mark = trail_.size();
  if (Assign(a, b)) return true;
  RollBack(mark);
  return false;
}

bool Unifier::AreAssignable(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b) {
  const size_t mark = trail_.size();
  const bool all = std::equal(a.begin(), a.end(), b.begin(), b.end(),
                              [this](const TypePtr& x, const TypePtr& y) { return Assign(x, y); });
  if (!all) RollBack(mark);
  return all;
}

bool Unifier::OccursIn(const Type& parameter, const TypePtr& type) const {
  if (type->kind() == Kind::kParameter) {
    if (type->name() == parameter.name()) return true;
    const TypePtr* bound = Binding(*type);
    return bound != nullptr && OccursIn(parameter, *bound);
  }
  return std::any_of(type->parameters().begin(), type->parameters().end(),
                     [&](const TypePtr& part) { return OccursIn(parameter, part); });
}

bool Unifier::BindParameter(const TypePtr& type, const TypePtr& parameter, bool& had_binding) {
  const TypePtr* bound = Binding(*parameter);
  had_binding = bound != nullptr;
  if (type->kind() == Kind::kParameter && type->name() == parameter->name()) return true;
  if (had_binding) {
    const TypePtr before = *bound;
    if (!Assign(type, before)) return false;
    TypePtr general = MostGeneral(type, before);
    if (!OccursIn(*parameter, general)) Bind(*parameter, std::move(general));
    return true;
  }
  if (OccursIn(*parameter, type)) return false;
  Bind(*parameter, type);
  return true;
}

bool Unifier::Assign(const TypePtr& a, const TypePtr& b) {
  bool had_binding = false;
  if (b->kind() == Kind::kParameter) {
    if (BindParameter(a, b, had_binding)) return true;
    if (had_binding) return false;
  }
  if (a->kind() == Kind::kParameter) return BindParameter(b, a, had_binding);
  if (IsDynOrError(*a) || IsDynOrError(*b)) return true;
  if (a->kind() == Kind::kNull) return AcceptsNull(*b);
  if (b->kind() == Kind::kNull) return AcceptsNull(*a);
  if (a->kind() != b->kind() || a->name() != b->name()) return false;
  if (a->kind() == Kind::kType) return true;
  return std::equal(a->parameters().begin(), a->parameters().end(), b->parameters().begin(),
                    b->parameters().end(),
                    [this](const TypePtr& x, const TypePtr& y) { return Assign(x, y); });
}

TypePtr Unifier::Resolve(const TypePtr& type, bool unbound_to_dyn) const {
  if (type->kind() == Kind::kParameter) {
    if (const TypePtr* bound = Binding(*type)) return Resolve(*bound, unbound_to_dyn);
    return unbound_to_dyn ? Basic(Kind::kDyn) : type;
  }
  if (type->parameters().empty()) return type;
  std::vector<TypePtr> parameters;
  for (const TypePtr& parameter : type->parameters()) {
    parameters.push_back(Resolve(parameter, unbound_to_dyn));
  }
  return Rebuild(*type, std::move(parameters));
}

TypePtr Unifier::MostGeneral(const TypePtr& a, const TypePtr& b) const {
  return IsAsGeneral(*a, *b) ? a : b;
}

}  // namespace berth::cel
