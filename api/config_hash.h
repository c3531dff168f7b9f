// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/names.h"

namespace berth::api {

// ConfigHash names the text of a scheduler's configuration: the operator writes it into status, the
// scheduler reports it once that text is applied. Equal texts, equal hashes, on every machine; 16
// hexadecimal digits.
inline std::string ConfigHash(std::string_view configuration) { return HashHex(configuration); }

}  // namespace berth::api
