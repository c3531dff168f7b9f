// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace berth::apiserver {

// Returns the lines of protobuf/messages.txt.
std::span<const std::string_view> ProtobufTable();

}  // namespace berth::apiserver
