// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cel/ast.h"
#include "cel/environment.h"

// Suggestions appended to the checker's messages for hand-written expressions: the nearest name,
// else all known names. Each begins with "; ".
namespace berth::cel {

// Returns the suggestion for a field that the type does not have.
std::string SuggestField(std::string_view field, const Type& type);

// Returns the suggestion for an unknown identifier or function; empty if there is no near name.
std::string SuggestName(const Expr& at, const Environment& environment);

}  // namespace berth::cel
