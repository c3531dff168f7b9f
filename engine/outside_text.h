// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth::engine {

// Returns a text of another program, sanitized for logs, events and conditions: valid UTF-8 in one
// line of at most kMaxOutsideText bytes. Line ends and tabs become spaces. Other control
// characters, and those that change the writing direction, become U+FFFD. A truncated text ends
// with "...".
inline constexpr size_t kMaxOutsideText = 1024;
std::string OutsideText(std::string_view text);

}  // namespace berth::engine
