// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::operator_ {

// Parses the value of a flag that lists ports. Errors (kConfig) name the flag, the value found and
// the allowed values.
Result<std::set<uint16_t>> ReadPorts(std::string_view flag, std::span<const std::string> entries);

}  // namespace berth::operator_
