// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// Removes undeclared fields from `document` and returns their paths, sorted:
// "spec.template.spec.containers[0].foo". They cause a rejection with fieldValidation=Strict, and a
// warning each with Warn (UnknownFieldText). Source: apiextensions-apiserver pruning; for built-in
// kinds the strict JSON decoder.
std::vector<std::string> Prune(const Schema& schema, nlohmann::json* document);

// UnknownFieldText formats one path: unknown field "spec.foo". StrictDecodingError formats all
// errors of a request: strict decoding error: unknown field "spec.bar", unknown field "spec.foo"
std::string UnknownFieldText(const std::string& path);
std::string StrictDecodingError(const std::vector<std::string>& findings);

// Reports whether a node keeps fields without a slot: JSON that Kubernetes does not interpret.
bool KeepsUnknownFields(const Schema& schema);

}  // namespace berth::apiserver
