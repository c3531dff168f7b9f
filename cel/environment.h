// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/type.h"
#include "cel/function.h"
#include "cel/type.h"

namespace berth::cel {

// Environment says which variables an expression may name and what they are, and which functions it
// may call beside those of the language. A variable of type dyn is checked only when it is
// evaluated. Fill it before compiling; then any thread may use it.
class Environment {
 public:
  // Declare adds a variable, or changes its type. The name may have dots ("request.user"): it then
  // is read before a field of what stands before the dot.
  Environment& Declare(std::string name, TypePtr type) {
    variables_[std::move(name)] = std::move(type);
    return *this;
  }

  // DeclareStruct adds a variable that is bound to a described struct (struct_value.h), and the
  // functions for its fields. Checks then say which name was meant instead of one that is not there.
  Environment& DeclareStruct(std::string name, const json::Type& type);

  // FindStruct gives what describes such a variable, or null.
  const json::Type* FindStruct(std::string_view name) const {
    const auto found = structs_.find(name);
    return found == structs_.end() ? nullptr : found->second;
  }
  bool suggests_names() const { return !structs_.empty(); }

  // Names lists the variables.
  std::vector<std::string> Names() const;

  // Use adds functions, which must outlive the programs compiled with them. What
  // they say of a name of the language stands in place of what the language says.
  Environment& Use(const FunctionTable& functions) {
    functions_ = &functions;
    return *this;
  }

  // AcceptedBy compiles as the API server of Kubernetes 1.MINOR does a new rule: with what the
  // release before it knew, so that the rule survives its downgrade. Without it everything that
  // this folder knows is accepted.
  // Source: apiserver pkg/cel/environment/base.go, DefaultCompatibilityVersion.
  Environment& AcceptedBy(unsigned minor) {
    known_ = minor - 1;
    return *this;
  }
  // Knows reports whether what Kubernetes 1.INTRODUCED added to the language may be used.
  bool Knows(unsigned introduced) const { return introduced <= known_; }

  // FindFunction gives all overloads of a name; empty if there is no such function, or if Knows()
  // is false for all of them.
  std::span<const Overload> FindFunction(std::string_view name) const {
    if (functions_ != nullptr) {
      const std::span<const Overload> found = functions_->Find(name);
      if (!found.empty()) return found;
    }
    const std::span<const Overload> found = cel::FindFunction(name);
    const auto is_known = [this](const Overload& of) { return Knows(of.introduced); };
    return std::ranges::any_of(found, is_known) ? found : std::span<const Overload>();
  }

  // Find gives the type of a variable, or null.
  TypePtr Find(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string, TypePtr, std::less<>> variables_;
  std::map<std::string, const json::Type*, std::less<>> structs_;
  const FunctionTable* functions_ = nullptr;
  unsigned known_ = std::numeric_limits<unsigned>::max();
};

}  // namespace berth::cel
