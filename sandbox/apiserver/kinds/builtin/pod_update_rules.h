// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/field.h"

namespace berth::apiserver {

// CheckPodChange checks what of a pod's spec an update may change: images, tolerations that are
// added, gates that go. Source: ValidatePodUpdate of pkg/apis/core/validation.
void CheckPodChange(const nlohmann::json& pod, const nlohmann::json& old, Errors& errors);

}  // namespace berth::apiserver
