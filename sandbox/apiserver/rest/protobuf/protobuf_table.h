// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace berth::apiserver {

// ProtobufTable is protobuf/messages.txt, line by line.
std::span<const std::string_view> ProtobufTable();

}  // namespace berth::apiserver
