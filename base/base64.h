// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth {

// Encodes as Base64 (RFC 4648): standard alphabet with padding, as used in Secrets and kubeconfigs.
std::string EncodeBase64(std::string_view bytes);

// Blanks selects how spaces, tabs and line ends in Base64 text are handled.
enum class Whitespace { kRejected, kSkipped };

// Decodes Base64 to bytes. Errors (kConfig) name the position of the bad character, counted from 1,
// or report that the text is truncated.
Result<std::string> DecodeBase64(std::string_view text,
                                 Whitespace whitespace = Whitespace::kRejected);

// Base64 with the URL alphabet and without padding, as in JSON web tokens. Padding is rejected.
std::string EncodeBase64Url(std::string_view bytes);
std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace berth
