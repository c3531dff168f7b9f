// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace berth {

// Quotes the text as one word of a POSIX shell, in single quotes if needed:
///tmp/demo -> /tmp/demo, /tmp/my demo -> '/tmp/my demo', it's -> 'it'\''s'.
std::string ShellWord(std::string_view text);

}  // namespace berth
