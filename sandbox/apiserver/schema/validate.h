// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "api/field_error.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// Returns all errors of a custom resource, or of one part of it, against its schema, with the text
// of a real API server (kube-openapi's validator, apiextensions' list types); empty if it is valid.
// Run it after Prune and Default. Properties are visited in order of their names. Errors without a
// single field have the path "<nil>", as upstream. With `old` validation is ratcheting: unchanged
// values are skipped, and lists may keep their duplicates.
std::vector<api::FieldError> Validate(const Schema& schema, const nlohmann::json& document,
                                      const nlohmann::json* old = nullptr);

// Validate without the check for duplicates in lists.
std::vector<api::FieldError> ValidateValues(const Schema& schema, const nlohmann::json& document,
                                            const nlohmann::json* old = nullptr);

// Returns the item of an old list with keys that corresponds to `item`, or null.
const nlohmann::json* CorrelatedItem(const Schema& list, const nlohmann::json& item,
                                     const nlohmann::json* old);

// Reports duplicates in sets and in lists with keys. Part of Validate.
void ValidateLists(const Schema& schema, const nlohmann::json& value, const std::string& path,
                   std::vector<api::FieldError>* errors);

}  // namespace berth::apiserver
