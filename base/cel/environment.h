// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/cel/type.h"

namespace berth::cel {

// Environment says which variables an expression may name and what they are. A variable of type dyn
// is checked only when it is evaluated. Fill it before compiling; then any thread may use it.
class Environment {
 public:
  // Declare adds a variable, or changes its type.
  Environment& Declare(std::string name, TypePtr type) {
    variables_[std::move(name)] = std::move(type);
    return *this;
  }

  // Find gives the type of a variable, or null.
  TypePtr Find(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string, TypePtr, std::less<>> variables_;
};

}  // namespace berth::cel
