// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "api/field_error.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// Validate gives every mistake of a custom resource, or of one part of it, against its schema, in
// the words of a real API server (kube-openapi's validator, apiextensions' list types); empty means
// it is valid. Run it after Prune and Default: what they remove or add is not a mistake. Properties
// are visited in order of their names. Mistakes that belong to no single field have the path
// "<nil>", as upstream. `old`, if given, is what the document was before: what has not changed
// since is not looked at, and lists that had duplicates may keep them.
std::vector<api::FieldError> Validate(const Schema& schema, const nlohmann::json& document,
                                      const nlohmann::json* old = nullptr);

// ValidateValues is Validate without the duplicates in lists.
std::vector<api::FieldError> ValidateValues(const Schema& schema, const nlohmann::json& document,
                                            const nlohmann::json* old = nullptr);

// CorrelatedItem is the item of an old list with keys that `item` is a new state of, or null.
const nlohmann::json* CorrelatedItem(const Schema& list, const nlohmann::json& item,
                                     const nlohmann::json* old);

// ValidateLists finds what occurs twice in sets and in lists with keys. Part of Validate.
void ValidateLists(const Schema& schema, const nlohmann::json& value, const std::string& path,
                   std::vector<api::FieldError>* errors);

}  // namespace berth::apiserver
