// SPDX-License-Identifier: Apache-2.0
#include "cel/macros.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace berth::cel {
namespace {

struct MacroForm {
  std::string_view name;
  size_t arguments;
  size_t variables;
  Macro macro;
};

constexpr std::array kForms = {
    MacroForm{"all", 2, 1, Macro::kAll},
    MacroForm{"all", 3, 2, Macro::kAll},
    MacroForm{"exists", 2, 1, Macro::kExists},
    MacroForm{"exists", 3, 2, Macro::kExists},
    MacroForm{"exists_one", 2, 1, Macro::kExistsOne},
    MacroForm{"existsOne", 3, 2, Macro::kExistsOne},
    MacroForm{"map", 2, 1, Macro::kEach},
    MacroForm{"map", 3, 1, Macro::kEach},
    MacroForm{"filter", 2, 1, Macro::kFilter},
    MacroForm{"transformList", 3, 2, Macro::kTransformList},
    MacroForm{"transformList", 4, 2, Macro::kTransformList},
    MacroForm{"transformMap", 3, 2, Macro::kTransformMap},
    MacroForm{"transformMap", 4, 2, Macro::kTransformMap},
    MacroForm{"transformMapEntry", 3, 2, Macro::kTransformMapEntry},
    MacroForm{"transformMapEntry", 4, 2, Macro::kTransformMapEntry},
    MacroForm{"sortBy", 2, 1, Macro::kSortBy},
    MacroForm{"optMap", 2, 1, Macro::kOptMap},
    MacroForm{"optFlatMap", 2, 1, Macro::kOptFlatMap},
};

std::optional<Issue> ExpandHas(Expr& call) {
  const ExprPtr argument = std::move(call.args[0]);
  if (argument->kind != ExprKind::kSelect) {
    return Issue{argument->position, "invalid argument to has() macro"};
  }
  call.kind = ExprKind::kHas;
  call.name = argument->name;
  call.args = std::move(argument->args);
  return std::nullopt;
}

}  // namespace

std::optional<Issue> ExpandMacro(Expr& call) {
  if (!call.is_member) {
    return call.name == "has" && call.args.size() == 1 ? ExpandHas(call) : std::nullopt;
  }
  const auto* const form = std::find_if(kForms.begin(), kForms.end(), [&](const MacroForm& known) {
    return known.name == call.name && known.arguments + 1 == call.args.size();
  });
  if (form == kForms.end()) return std::nullopt;
  for (size_t i = 1; i <= form->variables; ++i) {
    if (call.args[i]->kind != ExprKind::kIdentifier) {
      return Issue{call.args[i]->position, "argument must be a simple name"};
    }
  }
  call.variable = call.args[1]->name;
  if (form->variables == 2) call.variable2 = call.args[2]->name;
  if (call.variable == call.variable2) {
    return Issue{call.args[2]->position, "duplicate iteration variable name: " + call.variable};
  }
  call.kind = ExprKind::kComprehension;
  call.macro = form->macro;
  call.args.erase(call.args.begin() + 1,
                  call.args.begin() + 1 + static_cast<std::ptrdiff_t>(form->variables));
  return std::nullopt;
}

unsigned MacroIntroduced(const Expr& comprehension) {
  constexpr unsigned kTwoVariables = 32;
  constexpr unsigned kExtendedLists = 34;
  if (comprehension.macro == Macro::kSortBy) return kExtendedLists;
  return comprehension.variable2.empty() ? 0 : kTwoVariables;
}

}  // namespace berth::cel
