// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {

// Checks the metadata of a new object: name, labels, annotations, owners, finalizers. Source:
// apimachinery's pkg/api/validation/objectmeta.go.
void ValidateMetadata(Strategy::NameRule rule, const nlohmann::json& object, Errors& errors);

// Checks that immutable metadata has not changed. Requires: the server's fields were copied from
// the old metadata (Writer::Adopt).
void ValidateMetadataUpdate(const nlohmann::json& object, const nlohmann::json& old,
                            Errors& errors);

}  // namespace berth::apiserver
