// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "apiserver/kinds/strategy.h"

namespace berth::apiserver {

// ValidateMetadata checks metadata of a new object: name, labels, annotations, owners, finalizers.
// Source: apimachinery pkg/api/validation/objectmeta.go.
void ValidateMetadata(const KindInfo& kind, Strategy::NameRule rule, const nlohmann::json& object,
                      Problems& problems);

// ValidateMetadataUpdate checks what may not change besides.
void ValidateMetadataUpdate(const KindInfo& kind, Strategy::NameRule rule,
                            const nlohmann::json& object, const nlohmann::json& old,
                            Problems& problems);

}  // namespace berth::apiserver
