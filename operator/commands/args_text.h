// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controllers/argument_reference.h"

namespace berth::operator_ {

// Returns arguments as an indented outline: field, type, description, and allowed values.
std::string ArgsText(const std::vector<controllers::ArgumentReference>& arguments);

// Indents each line by two spaces.
std::string Indented(std::string_view text);

}  // namespace berth::operator_
