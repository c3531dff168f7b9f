// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"

namespace berth::apiserver {

// Applies RFC 6902 operations. Errors: kBadRequest if the patch is not a list; kInvalid for a
// failed operation, with upstream's message, which does not name the operation.
Result<nlohmann::json> ApplyJsonPatch(nlohmann::json document, std::string_view patch);

}  // namespace berth::apiserver
