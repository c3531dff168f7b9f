// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

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

  // Use adds functions, which must outlive the programs compiled with them. A name that the
  // language has stays what it is.
  Environment& Use(const FunctionTable& functions) {
    functions_ = &functions;
    return *this;
  }

  // FindFunction gives all overloads of a name; empty if there is no such function.
  std::span<const Overload> FindFunction(std::string_view name) const {
    const std::span<const Overload> found = cel::FindFunction(name);
    return found.empty() && functions_ != nullptr ? functions_->Find(name) : found;
  }

  // Find gives the type of a variable, or null.
  TypePtr Find(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string, TypePtr, std::less<>> variables_;
  const FunctionTable* functions_ = nullptr;
};

}  // namespace berth::cel
