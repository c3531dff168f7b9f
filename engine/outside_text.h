// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::engine {

// OutsideText is what somebody else wrote, fit for logs, events and conditions: valid UTF-8 in one
// line of at most kMaxOutsideText bytes. Line ends and tabs become blanks, other control characters,
// and those that turn the direction of writing, U+FFFD; what is cut off leaves "...".
inline constexpr size_t kMaxOutsideText = 1024;
std::string OutsideText(std::string_view text);

}  // namespace berth::engine
