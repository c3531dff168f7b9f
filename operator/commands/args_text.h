// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controllers/argument_reference.h"

namespace berth::operator_ {

// ArgsText shows arguments as an indented outline: field, type, what it is for, and what is allowed.
std::string ArgsText(const std::vector<controllers::ArgumentReference>& arguments);

// Indented puts two blanks before each line.
std::string Indented(std::string_view text);

}  // namespace berth::operator_
