// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cel/ast.h"
#include "cel/environment.h"

// What is added to the words of the checker where somebody writes expressions by hand: the name that
// was most likely meant, else those that there are. Each begins with "; ".
namespace berth::cel {

// SuggestField is for a field that the type does not have.
std::string SuggestField(std::string_view field, const Type& type);

// SuggestName is for an identifier or a function that is not there; empty where nothing is near.
std::string SuggestName(const Expr& at, const Environment& environment);

}  // namespace berth::cel
