// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"

// Machine-readable output of commands: described structs as JSON or YAML, by --output.
namespace berth::operator_ {

inline constexpr std::string_view kJson = "json";
inline constexpr std::string_view kYaml = "yaml";

// Reports whether the format is machine-readable.
constexpr bool IsDocument(std::string_view format) { return format == kJson || format == kYaml; }

// Returns a JSON text as indented JSON or as YAML. Requires: valid JSON, and IsDocument(format).
std::string FormattedJson(std::string_view json_text, std::string_view format);

template <class T>
std::string DocumentText(const T& value, std::string_view format) {
  return FormattedJson(json::Encode(value), format);
}

}  // namespace berth::operator_
