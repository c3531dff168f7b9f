// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cel/lexer.h"
#include "cel/value.h"

namespace berth::cel {

// Returns the value of a number, string or bytes token. `is_negative`: a minus sign precedes the
// number. Errors have cel-go's text, "invalid int literal".
Value LiteralValue(const Token& token, bool is_negative);

}  // namespace berth::cel
