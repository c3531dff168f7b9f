// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cel/type.h"

namespace berth::cel {

// Unifier infers type parameters while an expression is checked. Each use of a signature gets fresh
// parameters, and assignments bind them. Not thread safe.
class Unifier {
 public:
  // Returns a new unbound parameter.
  TypePtr Fresh();

  // Replaces the parameters of a signature's types by fresh ones; equal letters get the same
  // parameter.
  std::vector<TypePtr> Instantiate(std::vector<TypePtr> types);

  // Reports whether a value of one type can be used as the other, and binds parameters accordingly.
  // Binds nothing on failure. Lists are compared pairwise, all or nothing.
  bool IsAssignable(const TypePtr& a, const TypePtr& b);
  bool AreAssignable(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b);

  // Replaces bound parameters. Unbound ones stay, or become dyn.
  TypePtr Resolve(const TypePtr& type, bool unbound_to_dyn = false) const;

  // Returns the less specific of two assignable types.
  TypePtr MostGeneral(const TypePtr& a, const TypePtr& b) const;

 private:
  bool Assign(const TypePtr& a, const TypePtr& b);
  // Tries to bind `parameter` to `type`. `had_binding` reports whether it was already bound.
  bool BindParameter(const TypePtr& type, const TypePtr& parameter, bool& had_binding);
  bool OccursIn(const Type& parameter, const TypePtr& type) const;
  const TypePtr* Binding(const Type& parameter) const;
  void Bind(const Type& parameter, TypePtr type);
  void RollBack(size_t mark);

  std::map<std::string, TypePtr, std::less<>> bindings_;
  std::vector<std::pair<std::string, TypePtr>> trail_;  // earlier bindings, for rollback
  int next_ = 0;
};

}  // namespace berth::cel
