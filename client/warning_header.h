// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::client {

// WarningTexts gives the texts of a Warning header (RFC 7234, code 299): `299 - "a", 299 - "b"` is
// a and b.
std::vector<std::string> WarningTexts(std::string_view header);

}  // namespace berth::client
