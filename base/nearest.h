// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth {

// Returns the end of an error about an unknown name: "; nearest: NAME", or `otherwise` without a
// near name. `nearest` is the result of NearestName.
std::string NearestHint(const std::optional<std::string>& nearest, std::string_view otherwise = "");

}  // namespace berth
