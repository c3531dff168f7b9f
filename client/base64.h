// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::client {

// DecodeBase64 reads the standard alphabet with padding; white space between is skipped. Errors
// (kConfig) say where.
Result<std::string> DecodeBase64(std::string_view text);

}  // namespace berth::client
