// SPDX-License-Identifier: Apache-2.0
#include "cel/suggest.h"

#include <optional>
#include <vector>

#include "base/strings.h"

namespace berth::cel {

std::string SuggestField(std::string_view field, const Type& type) {
  std::vector<std::string> names;
  for (const auto& [name, known] : type.fields()) names.push_back(known.name);
  if (const auto nearest = NearestName(field, names)) return "; nearest: '" + *nearest + "'";
  return "; known: " + Join(names, ", ");
}

std::string SuggestName(const Expr& at, const Environment& environment) {
  std::vector<std::string> names;
  if (at.kind == ExprKind::kCall) {
    for (const std::string_view name : FunctionNames()) {
      if (name.find_first_of("_@") == std::string_view::npos) names.emplace_back(name);
    }
  } else {
    names = environment.Names();
  }
  const auto nearest = NearestName(at.name, names);
  if (nearest) return "; nearest: '" + *nearest + "'";
  return at.kind == ExprKind::kCall ? "" : "; known: " + Join(names, ", ");
}

}  // namespace berth::cel
