// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// ValidateDocument finds what is wrong with an object that is about to be stored, of any kind: its
// metadata, then what its strategy or, of a custom resource, its schema and rules demand. `old` is
// null on a create. Of a custom resource, mistakes that were there before and have not been touched
// are let be.
Errors ValidateDocument(const KindInfo& kind, std::string_view subresource,
                        const nlohmann::json& object, const nlohmann::json* old);

// InvalidDocument is the refusal of a document with problems.
StatusError InvalidDocument(const KindInfo& kind, std::string_view name,
                            const nlohmann::json& document, const Errors& errors);

}  // namespace berth::apiserver
