// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/value.h"

namespace berth::cel {

// Activation holds the values of variables for evaluations. It keeps what it is given alive, except
// for documents that values are views of.
class Activation {
 public:
  Activation& Bind(std::string name, Value value) {
    for (auto& bound : variables_) {
      if (bound.first != name) continue;
      bound.second = std::move(value);
      return *this;
    }
    variables_.emplace_back(std::move(name), std::move(value));
    return *this;
  }

  // Rebind gives the variable that was bound as number `place`, counted from 0, another value.
  void Rebind(size_t place, const Value& value) { variables_[place].second = value; }

  // Find gives the value of a variable, or null.
  const Value* Find(std::string_view name) const {
    for (const auto& bound : variables_) {
      if (bound.first == name) return &bound.second;
    }
    return nullptr;
  }

 private:
  std::vector<std::pair<std::string, Value>> variables_;  // a handful
};

}  // namespace berth::cel
