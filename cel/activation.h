// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/value.h"

namespace berth::cel {

// Activation holds the variable values of an evaluation. It keeps the values alive, but not the
// documents that they are views of.
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

  // Replaces the value of the variable bound at `place`, counted from 0.
  void Rebind(size_t place, const Value& value) { variables_[place].second = value; }

  // Returns the value of a variable, or null.
  const Value* Find(std::string_view name) const {
    for (const auto& bound : variables_) {
      if (bound.first == name) return &bound.second;
    }
    return nullptr;
  }

 private:
  std::vector<std::pair<std::string, Value>> variables_;  // only a few
};

}  // namespace berth::cel
