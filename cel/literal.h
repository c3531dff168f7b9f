// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cel/lexer.h"
#include "cel/value.h"

namespace berth::cel {

// LiteralValue is what a token of a number, a string or bytes stands for; `is_negative` is the
// minus sign that stood in front of a number. The error is one of cel-go's messages, "invalid int
// literal".
Value LiteralValue(const Token& token, bool is_negative);

}  // namespace berth::cel
