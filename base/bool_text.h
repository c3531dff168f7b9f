// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace berth {

// Parses a boolean as Go's programs do: 1, t, T, true, TRUE, True, and 0, f, F, false, FALSE, False.
// Returns nullopt for all other texts. Pure. Source: Go's strconv.ParseBool.
std::optional<bool> ParseBool(std::string_view text);

}  // namespace berth
