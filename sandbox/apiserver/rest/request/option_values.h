// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sandbox/apiserver/kinds/status_error.h"

// Helpers of the option parsers. Private to this folder.
namespace berth::apiserver {

// Returns the rejection of invalid options of meta.k8s.io ("ListOptions").
Rejection BadOptions(std::string_view type, const Errors& errors);

// Returns the error for an unsupported value. Both values are JSON.
FieldError UnsupportedOption(std::string path, std::string value_json, std::string_view allowed);

// Parses a number of a query; the error has the text of Go's strconv.
Answer<int64_t> ReadInteger(const std::string& text);

}  // namespace berth::apiserver
