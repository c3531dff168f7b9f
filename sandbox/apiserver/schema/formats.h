// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace berth::apiserver {

// MatchesFormat says whether a text has one of the formats that Kubernetes checks in custom
// resources (date-time, ipv4, uuid, ...). Formats it does not know are not checked: true.
bool MatchesFormat(std::string_view format, std::string_view text);

}  // namespace berth::apiserver
