// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/json/document.h"
#include "base/json/json.h"

namespace berth::apiserver {

// Parses and serializes a document (base/json/document.h) and a string.
using berth::json::AppendDocument;
using berth::json::DocumentText;
using berth::json::Quoted;
using berth::json::ReadDocument;

// Returns the value at "a/b/c", or null.
const nlohmann::json* At(const nlohmann::json& object, std::string_view path);
// Returns the string at the path, or "".
std::string TextAt(const nlohmann::json& object, std::string_view path);
int64_t IntAt(const nlohmann::json& object, std::string_view path, int64_t otherwise = 0);

}  // namespace berth::apiserver
