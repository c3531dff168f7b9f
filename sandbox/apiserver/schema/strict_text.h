// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// StrictFindings is what Go's strict JSON decoder says of the fields of a text, in its order: those
// that one object has twice and those that the schema does not know, each once:
//   duplicate field "data.k", unknown field "spec.containers[0].foo"
// Without a schema (null) the text is decoded into maps, which know every field. What lies in an
// unknown field is not looked at. The text is one JSON value. Source: sigs.k8s.io/json.
std::vector<std::string> StrictFindings(const Schema* schema, std::string_view text);

// KnowsAllFields: of a text without fields that occur twice, StrictFindings says nothing. The
// document is that of the text.
bool KnowsAllFields(const Schema& schema, const nlohmann::json& document);

}  // namespace berth::apiserver
