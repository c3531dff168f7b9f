// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/field.h"

namespace berth::apiserver {

// Checks the changes of an update to a pod's spec. Allowed are new images, added tolerations and
// removed scheduling gates. Source: ValidatePodUpdate of pkg/apis/core/validation.
void CheckPodChange(const nlohmann::json& pod, const nlohmann::json& old, Errors& errors);

}  // namespace berth::apiserver
