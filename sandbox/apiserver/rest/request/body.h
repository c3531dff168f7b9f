// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/rest/request/request_options.h"

namespace berth::apiserver {

// Converts a client's document to its kind: checks or fills in apiVersion and kind, rejects wrong
// types, removes unknown fields (with warnings) or rejects them, rewrites empty values and scalars
// in a real server's form, and sets defaults. Errors: kBadRequest.
Result<void> DecodeDocument(const KindInfo& kind, FieldValidation validation,
                            std::vector<std::string>& warnings, nlohmann::json& document);

// DecodeDocument for a request body: returns the Status of a failure.
Answer<void> AdmitDocument(const KindInfo& kind, FieldValidation validation,
                           std::vector<std::string>& warnings, nlohmann::json& document);

// Rejects (400) a document with values that do not fit the types of a built-in kind, so that later
// code can read it without type checks.
Answer<void> CheckShape(const GroupVersionKind& kind, const nlohmann::json& document);

// Sets the defaults only.
void DefaultDocument(const KindInfo& kind, nlohmann::json& document);

}  // namespace berth::apiserver
