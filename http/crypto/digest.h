// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace berth::http {

// Sha256 gives the 32 bytes of the digest.
std::string Sha256(std::string_view bytes);

}  // namespace berth::http
