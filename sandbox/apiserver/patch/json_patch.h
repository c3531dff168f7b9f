// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"

namespace berth::apiserver {

// ApplyJsonPatch applies RFC 6902 operations. Errors: kBadRequest when the patch is no list;
// kInvalid with the server's bare message for every operation that fails: clients never see which.
Result<nlohmann::json> ApplyJsonPatch(nlohmann::json document, std::string_view patch);

}  // namespace berth::apiserver
