// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// Applies a strategic merge patch to an object of a built-in kind. Lists merge by the keys of the
// schema. Supports $patch, $retainKeys, $setElementOrder/<list> and
// $deleteFromPrimitiveList/<list>. Custom resources have no such patch; the caller rejects it
// (UnsupportedPatchType). Errors have upstream's text: kBadRequest if the patch is not a JSON
// object or has a malformed directive; otherwise kUnknown with code 500, as from a real server.
// Source: apimachinery, util/strategicpatch.
Result<nlohmann::json> ApplyStrategicMergePatch(const Schema& schema, nlohmann::json document,
                                                std::string_view patch);

// Returns the error (415) for a patch type that custom resources do not support.
Error UnsupportedPatchType();

}  // namespace berth::apiserver
