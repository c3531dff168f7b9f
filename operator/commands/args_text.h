// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/json/type.h"

namespace berth::operator_ {

// ArgsText shows a described struct as an indented outline: field, type, what it is for, and what
// is allowed.
std::string ArgsText(const json::Type& type);

// Indented puts two blanks before each line.
std::string Indented(std::string_view text);

}  // namespace berth::operator_
