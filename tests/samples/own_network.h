// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace berth::integration {

// The first half of the addresses that are this program's own once it has a network of its own.
inline constexpr const char* kOwnNetwork = "10.77";

// EnterOwnNetwork gives this program, and all that it starts from then on, a network in which there is
// nothing but itself: the loopback and all addresses of kOwnNetwork, which are no loopback and so may
// be an extender's. Names are looked up in the file `hosts`, which has to be there. An error says what
// the machine does not allow; empty: it was done.
// Requires: no thread was started; and only once.
std::string EnterOwnNetwork(const std::filesystem::path& hosts);

}  // namespace berth::integration
