// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// Prune removes the fields of `document` that the schema does not know and gives their paths,
// sorted: "spec.template.spec.containers[0].foo". A request with fieldValidation=Strict is refused
// with them, one with Warn gets a warning for each (UnknownFieldText). Source:
// apiextensions-apiserver pruning; for built-in kinds the strict JSON decoder.
std::vector<std::string> Prune(const Schema& schema, nlohmann::json* document);

// UnknownFieldText words one path: unknown field "spec.foo". StrictDecodingError words all findings
// of a request: strict decoding error: unknown field "spec.bar", unknown field "spec.foo"
std::string UnknownFieldText(const std::string& path);
std::string StrictDecodingError(const std::vector<std::string>& findings);

// KeepsUnknownFields says of a node that fields without a slot stay: JSON that Kubernetes does not
// look into.
bool KeepsUnknownFields(const Schema& schema);

}  // namespace berth::apiserver
