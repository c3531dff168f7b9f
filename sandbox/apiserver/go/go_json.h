// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/error.h"

namespace berth::apiserver {

// CheckGoSyntax says what Go's encoding/json says of a text that is not one JSON value
// (kBadRequest): invalid character '}' in literal true (expecting 'e'). At most `max_depth` objects
// and lists may be nested.
Result<void> CheckGoSyntax(std::string_view text, int max_depth);

}  // namespace berth::apiserver
