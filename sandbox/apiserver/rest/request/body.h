// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/rest/request/request_options.h"

namespace berth::apiserver {

// DecodeDocument makes a document of a client into one of its kind: apiVersion and kind are checked
// or filled in, wrong types are refused, unknown fields go (with warnings, or refused), empty
// values and scalars take the form a real server writes, defaults are put in. Errors: kBadRequest.
Result<void> DecodeDocument(const KindInfo& kind, FieldValidation validation,
                            std::vector<std::string>& warnings, nlohmann::json& document);

// AdmitDocument is DecodeDocument for the body of a request: a failure is its refusal.
Answer<void> AdmitDocument(const KindInfo& kind, FieldValidation validation,
                           std::vector<std::string>& warnings, nlohmann::json& document);

// CheckShape refuses (400) a document whose values do not have the types of a built-in kind, so
// that it can be read without asking each time.
Answer<void> CheckShape(const GroupVersionKind& kind, const nlohmann::json& document);

// DefaultDocument is the last step alone.
void DefaultDocument(const KindInfo& kind, nlohmann::json& document);

}  // namespace berth::apiserver
