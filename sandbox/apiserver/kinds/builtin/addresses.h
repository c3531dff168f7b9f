// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace berth::apiserver {

// FamilyOf gives "IPv4" or "IPv6" for the text of an address, "" for any other text. FamilyOfRange
// does so for a CIDR range ("10.0.0.0/24").
std::string_view FamilyOf(std::string_view address);
std::string_view FamilyOfRange(std::string_view range);

inline constexpr const char* kNoAddress =
    "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
inline constexpr const char* kNoRange =
    "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

}  // namespace berth::apiserver
