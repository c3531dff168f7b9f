// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// Returns the errors of an object before it is stored, of any kind: first its metadata, then its
// strategy or, for a custom resource, its schema and rules. `old` is null on a create. Custom
// resources have ratcheting validation: errors in unchanged fields are ignored.
Errors ValidateDocument(const KindInfo& kind, std::string_view subresource,
                        const nlohmann::json& object, const nlohmann::json* old);

// Returns the Invalid status of a document with errors.
StatusError InvalidDocument(const KindInfo& kind, std::string_view name,
                            const nlohmann::json& document, const Errors& errors);

}  // namespace berth::apiserver
