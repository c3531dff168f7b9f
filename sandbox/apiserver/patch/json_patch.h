// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"

namespace berth::apiserver {

// ApplyJsonPatch applies RFC 6902 operations as the API server's library does: a member that is
// absent can be replaced, positions may count from the end (-1 is the last), a test for null passes
// where nothing is. Errors: kBadRequest when the patch is no list of operations or is longer than
// 10,000; kInvalid with the server's bare message for every operation that fails: clients never see
// which.
Result<nlohmann::json> ApplyJsonPatch(nlohmann::json document, std::string_view patch);

}  // namespace berth::apiserver
