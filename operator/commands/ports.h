// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::operator_ {

// ReadPorts reads the value of a flag that lists ports. Errors (kConfig) name the flag, what was
// found and what is allowed.
Result<std::set<uint16_t>> ReadPorts(std::string_view flag, std::span<const std::string> entries);

}  // namespace berth::operator_
