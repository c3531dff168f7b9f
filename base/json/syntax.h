// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "base/text_error.h"

namespace berth::json {

// SyntaxErrorIn says where a text that is no JSON stops being JSON, what was expected there and
// what was found. Nothing for JSON. Slow: for a message, once a faster reader has given up.
std::optional<TextError> SyntaxErrorIn(std::string_view text);

// IsMeantAsJson says that a text begins as JSON does and a flow collection of YAML seldom: with an
// object whose first key is in double quotes, or with a list of such, and is no stream of documents.
bool IsMeantAsJson(std::string_view text);

}  // namespace berth::json
