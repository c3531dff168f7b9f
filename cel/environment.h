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

// Environment declares the variables of an expression with their types, and functions in addition
// to the language's. A variable of type dyn is checked only at evaluation. Fill it before
// compiling; then any thread may use it.
class Environment {
 public:
  // Adds a variable or changes its type. The name may contain dots ("request.user"); it then takes
  // precedence over a field of the part before the dot.
  Environment& Declare(std::string name, TypePtr type) {
    variables_[std::move(name)] = std::move(type);
    return *this;
  }

  // Adds a variable of a described struct (struct_value.h) and the functions for its fields.
  // Checker messages then suggest the nearest field name.
  Environment& DeclareStruct(std::string name, const json::Type& type);

  // Returns the description of such a variable, or null.
  const json::Type* FindStruct(std::string_view name) const {
    const auto found = structs_.find(name);
    return found == structs_.end() ? nullptr : found->second;
  }
  bool suggests_names() const { return !structs_.empty(); }

  // Returns the names of all variables.
  std::vector<std::string> Names() const;

  // Adds functions. They must outlive the compiled programs. They override language functions of
  // the same name.
  Environment& Use(const FunctionTable& functions) {
    functions_ = &functions;
    return *this;
  }

  // Limits the language to what the API server of Kubernetes 1.MINOR accepts in a new rule: the
  // features of the release before it, so that the rule survives a downgrade. By default all
  // features of this library are accepted. Source: apiserver pkg/cel/environment/base.go,
  // DefaultCompatibilityVersion.
  Environment& AcceptedBy(unsigned minor) {
    known_ = minor - 1;
    return *this;
  }
  // Reports whether features that Kubernetes 1.INTRODUCED added may be used.
  bool Knows(unsigned introduced) const { return introduced <= known_; }

  // Returns all overloads of a name; empty if there is no such function or Knows() is false for all
  // of them.
  std::span<const Overload> FindFunction(std::string_view name) const {
    if (functions_ != nullptr) {
      const std::span<const Overload> found = functions_->Find(name);
      if (!found.empty()) return found;
    }
    const std::span<const Overload> found = cel::FindFunction(name);
    const auto is_known = [this](const Overload& of) { return Knows(of.introduced); };
    return std::ranges::any_of(found, is_known) ? found : std::span<const Overload>();
  }

  // Returns the type of a variable, or null.
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
