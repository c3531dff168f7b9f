// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"

namespace berth::apiserver {

// ApplyMergePatch applies an RFC 7386 patch: objects are merged, null removes, all else replaces.
// Errors: kBadRequest when the patch is no JSON object.
Result<nlohmann::json> ApplyMergePatch(nlohmann::json document, std::string_view patch);

// MergeInto is the same for a patch that is decoded.
void MergeInto(const nlohmann::json& patch, nlohmann::json* document);

// DecodePatch parses the body of a patch, at most 1,000 levels deep; errors (kBadRequest) are
// worded as Go's decoder words them.
Result<nlohmann::json> DecodePatch(std::string_view patch);

}  // namespace berth::apiserver
