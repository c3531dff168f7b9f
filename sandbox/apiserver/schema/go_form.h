// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// A built-in kind passes through a Go struct in a real server, and clients see that: a value of the
// wrong type is refused in the words of Go's JSON decoder, empty values vanish, amounts and times
// are rewritten in their canonical form. Of a custom resource that is so for its metadata only:
// call these with the type ObjectMeta there.

// CheckGoTypes gives the first value that the Go type cannot hold, as kBadRequest:
//   json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32
Result<void> CheckGoTypes(const Schema& schema, const nlohmann::json& document);

// ToGoForm rewrites a document that CheckGoTypes accepts: nulls go, and so do empty values of
// fields with omitempty; quantities and times become canonical, 3.0 in an integer 3. Run Default
// after it.
void ToGoForm(const Schema& schema, nlohmann::json* document);

}  // namespace berth::apiserver
