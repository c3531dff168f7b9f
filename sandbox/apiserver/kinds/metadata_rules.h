// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {

// ValidateMetadata checks metadata as the strategy of a kind does: name, labels, annotations,
// owners, finalizers. Source: pkg/apis/core/validation ValidateObjectMeta, and where a kind's group
// uses it, apimachinery's pkg/api/validation/objectmeta.go.
void ValidateMetadata(const KindInfo& kind, Strategy::NameRule rule, const nlohmann::json& object,
                      Problems& problems);

// ValidateMetadataUpdate checks what of it may not change. Requires: what the server keeps of the
// old metadata is filled in (Writer::Adopt).
void ValidateMetadataUpdate(const KindInfo& kind, const nlohmann::json& object,
                            const nlohmann::json& old, Problems& problems);

// What the server checks of every kind besides: the same with the weakest rules. Source: apiserver
// pkg/registry/rest/create.go and update.go.
void ValidateAnyMetadata(const nlohmann::json& object, Problems& problems);
void ValidateAnyMetadataUpdate(const nlohmann::json& object, const nlohmann::json& old,
                               Problems& problems);

// CheckFinalizerName checks a finalizer's name as the kinds of Kubernetes itself do: qualified with
// a domain or one of the standard ones.
void CheckFinalizerName(const Field& finalizer);

}  // namespace berth::apiserver
