// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cel/type.h"

namespace berth::cel {

// Unifier finds what the type parameters of signatures stand for while an expression is checked:
// fresh ones are made for each use of a signature, and assignments bind them. Not thread safe.
class Unifier {
 public:
  // Fresh makes a parameter that nothing is known of yet.
  TypePtr Fresh();

  // Instantiate replaces the parameters of a signature's types by fresh ones, the same letter by
  // the same one.
  std::vector<TypePtr> Instantiate(std::vector<TypePtr> types);

  // IsAssignable says whether a value of one type may stand where the other is wanted, and binds
  // parameters so that it may. When not, nothing is bound. Lists: pairwise, all or nothing.
  bool IsAssignable(const TypePtr& a, const TypePtr& b);
  bool AreAssignable(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b);

  // Resolve replaces bound parameters; unbound ones stay, or become dyn.
  TypePtr Resolve(const TypePtr& type, bool unbound_to_dyn = false) const;

  // MostGeneral picks the less specific of two types that are assignable.
  TypePtr MostGeneral(const TypePtr& a, const TypePtr& b) const;

 private:
  bool Assign(const TypePtr& a, const TypePtr& b);
  // BindParameter tries to let `parameter` stand for `type`. `had_binding` is whether it stood for
  // something before.
  bool BindParameter(const TypePtr& type, const TypePtr& parameter, bool& had_binding);
  bool OccursIn(const Type& parameter, const TypePtr& type) const;
  const TypePtr* Binding(const Type& parameter) const;
  void Bind(const Type& parameter, TypePtr type);
  void RollBack(size_t mark);

  std::map<std::string, TypePtr, std::less<>> bindings_;
  std::vector<std::pair<std::string, TypePtr>> trail_;  // earlier bindings, to roll back
  int next_ = 0;
};

}  // namespace berth::cel
