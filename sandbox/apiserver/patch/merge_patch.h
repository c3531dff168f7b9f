// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"

namespace berth::apiserver {

// Applies an RFC 7386 patch: objects are merged, null removes a member, all other values replace.
// Errors: kBadRequest if the patch is not a JSON object.
Result<nlohmann::json> ApplyMergePatch(nlohmann::json document, std::string_view patch);

// Applies a decoded patch.
void MergeInto(const nlohmann::json& patch, nlohmann::json* document);

// Parses the body of a patch, at most 1,000 levels deep. Errors (kBadRequest) have the text of Go's
// decoder.
Result<nlohmann::json> DecodePatch(std::string_view patch);

}  // namespace berth::apiserver
