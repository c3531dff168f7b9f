// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// CheckGoConversion gives the first value of a document that a built-in kind's Go struct cannot
// take over from a decoded map (kBadRequest), which is how a strategic merge patch ends: cannot
// convert int64 to string. CheckGoTypes (go_form.h) words the same for a decoder of text. Source:
// apimachinery, runtime.DefaultUnstructuredConverter.
Result<void> CheckGoConversion(const Schema& schema, const nlohmann::json& document);

}  // namespace berth::apiserver
