// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// ApplyStrategicMergePatch applies a strategic merge patch to an object of a built-in kind: lists
// merge by the keys of the schema; $patch, $retainKeys, $setElementOrder/<list> and
// $deleteFromPrimitiveList/<list> are obeyed. Custom resources have no such patch: the caller
// refuses it (UnsupportedPatchType). Errors are worded as upstream: kBadRequest when the patch is
// no JSON object or misuses a directive's form; kUnknown with code 500, as a real server answers,
// for the rest. Source: apimachinery, util/strategicpatch.
Result<nlohmann::json> ApplyStrategicMergePatch(const Schema& schema, nlohmann::json document,
                                                std::string_view patch);

// UnsupportedPatchType is the refusal of a media type that a custom resource cannot be patched with
// (415).
Error UnsupportedPatchType();

}  // namespace berth::apiserver
