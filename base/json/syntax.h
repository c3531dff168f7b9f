// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "base/text_error.h"

namespace berth::json {

// Returns the position of the first syntax error with the expected and the found text, or nullopt
// for valid JSON. Slow: use it for the message after a faster parser failed.
std::optional<TextError> SyntaxErrorIn(std::string_view text);

// Reports whether a text is probably JSON rather than YAML. True if it begins with an object whose
// first key is double-quoted, or with a list of such objects, and is not a stream of documents.
bool IsMeantAsJson(std::string_view text);

}  // namespace berth::json
