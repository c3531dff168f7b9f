// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth::http {

// Base64 of RFC 4648: the standard alphabet with padding, as Secrets have it.
std::string Base64Encode(std::string_view bytes);
// Nothing for text that is none.
std::optional<std::string> Base64Decode(std::string_view text);

// Base64Url has the alphabet for URLs and no padding, as JSON web tokens have it.
std::string Base64UrlEncode(std::string_view bytes);
// Nothing for text that is none; padding is refused.
std::optional<std::string> Base64UrlDecode(std::string_view text);

}  // namespace berth::http
