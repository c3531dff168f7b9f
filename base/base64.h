// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth {

// Base64 of RFC 4648: the standard alphabet with padding, as Secrets and kubeconfigs have it.
std::string EncodeBase64(std::string_view bytes);

// Blanks says what spaces, tabs and line ends between the letters mean.
enum class Blanks { kRejected, kSkipped };

// DecodeBase64 gives the bytes. Errors (kConfig) say at which position, counted from 1, or that the
// text is cut off.
Result<std::string> DecodeBase64(std::string_view text, Blanks blanks = Blanks::kRejected);

// FirstBadBase64 is the position, counted from 0, at which a text stops being Base64 with padding,
// if it does. Line ends are skipped, spaces are not, and a group that is cut off is bad from its
// beginning on: as Go's decoder has it, whose errors name the position.
std::optional<size_t> FirstBadBase64(std::string_view text);

// Base64Url has the alphabet for URLs and no padding, as JSON web tokens have it; padding is
// refused.
std::string EncodeBase64Url(std::string_view bytes);
std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace berth
