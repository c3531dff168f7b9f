// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth::cel {

// DecodeBase64 reads the standard alphabet with padding; nothing when the text is malformed.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace berth::cel
