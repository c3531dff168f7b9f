// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sandbox/apiserver/kinds/status_error.h"

// What the readers of options share. Private to this folder.
namespace berth::apiserver {

// BadOptions refuses options of a kind of meta.k8s.io ("ListOptions").
Rejection BadOptions(std::string_view type, const Errors& errors);

// UnsupportedOption is the finding about a value, as JSON, that is none of those allowed, as JSON.
FieldError UnsupportedOption(std::string path, std::string value_json, std::string_view allowed);

// ReadInteger reads a number of a query; the error is worded as Go's strconv.
Answer<int64_t> ReadInteger(const std::string& text);

}  // namespace berth::apiserver
