// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// A real server decodes built-in kinds into Go structs, with visible effects: a value of the wrong
// type is rejected with the text of Go's JSON decoder, empty values vanish, quantities and times
// are rewritten in canonical form. For a custom resource this is true of its metadata only: call
// these functions with the type ObjectMeta there.

// Returns an error (kBadRequest) for the first value that the Go type cannot hold:
//   json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32
Result<void> CheckGoTypes(const Schema& schema, const nlohmann::json& document);

// Rewrites a document that CheckGoTypes accepts: removes nulls and empty values of fields with
// omitempty, makes quantities and times canonical, turns 3.0 in an integer field into 3. Run
// Default after it.
void ToGoForm(const Schema& schema, nlohmann::json* document);

}  // namespace berth::apiserver
