// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/patch/path_element.h"

namespace berth::apiserver {

// Who owns the replicas of an object is told in two places: metadata.managedFields of the object,
// and of its Scale while a request to the sub-resource is carried out. Source: apimachinery
// managedfields.ScaleHandler, with what it forgets: an owner who comes by way of the scale has no
// time, and one who updated the object and whose replicas a scale left as they were is told twice.

// ScaleManagedFields gives the entries of those who own the replicas, as entries of a Scale. `path`
// is where the object has them. Null when there are none.
nlohmann::json ScaleManagedFields(const nlohmann::json& entries, const FieldPath& path);

// ParentManagedFields gives the entries of the object once those of its Scale are `scale`.
// `version` is the object's apiVersion.
nlohmann::json ParentManagedFields(const nlohmann::json& entries, const nlohmann::json& scale,
                                   const FieldPath& path, const std::string& version);

}  // namespace berth::apiserver
