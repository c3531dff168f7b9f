// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace berth::apiserver {

// Returns the text of each file in builtin/. The build generates the definition (embed.cmake).
std::span<const std::string_view> BuiltinTables();

}  // namespace berth::apiserver
