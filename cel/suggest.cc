// SPDX-License-Identifier: Apache-2.0
#include "cel/suggest.h"

#include <vector>

#include "base/nearest.h"
#include "base/strings.h"

namespace berth::cel {

std::string SuggestField(std::string_view field, const Type& type) {
  std::vector<std::string> names;
  for (const auto& [name, known] : type.fields()) names.push_back(known.name);
  return NearestHint(NearestName(field, names), "; known: " + Join(names, ", "));
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
  const std::string known = at.kind == ExprKind::kCall ? "" : "; known: " + Join(names, ", ");
  return NearestHint(NearestName(at.name, names), known);
}

}  // namespace berth::cel
