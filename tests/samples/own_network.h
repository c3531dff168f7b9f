// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace berth::integration {

// The first half of the addresses in this program's own network namespace.
inline constexpr const char* kOwnNetwork = "10.77";

// Moves this program and its children into a new network namespace. It contains only the loopback
// interface and all addresses of kOwnNetwork, which are not loopback addresses, so that extenders
// may use them. Names are resolved with the file `hosts`, which must exist. Returns the operation
// that the machine does not allow, or an empty text. Requires: no thread was started; call it only
// once.
std::string EnterOwnNetwork(const std::filesystem::path& hosts);

}  // namespace berth::integration
