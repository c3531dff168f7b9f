// SPDX-License-Identifier: Apache-2.0
#include "cel/environment.h"

#include "cel/struct_value.h"

namespace berth::cel {

Environment& Environment::DeclareStruct(std::string name, const json::Type& type) {
  structs_[name] = &type;
  TypePtr declared = TypeOfStruct(type, name);
  return Declare(std::move(name), std::move(declared)).Use(StructFunctions());
}

std::vector<std::string> Environment::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, type] : variables_) names.push_back(name);
  return names;
}

}  // namespace berth::cel
