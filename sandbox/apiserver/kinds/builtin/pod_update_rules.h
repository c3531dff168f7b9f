// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/field.h"

namespace berth::apiserver {

// CheckPodChange checks what of a pod's spec an update may change: images, a deadline that comes
// nearer, tolerations that are added, gates that go; of a pod with gates also where it may run,
// which can be narrowed. Source: ValidatePodUpdate of pkg/apis/core/validation.
void CheckPodChange(const nlohmann::json& pod, const nlohmann::json& old, Problems& problems);

// CheckImageBlanks: an image's name has no blanks at its ends.
void CheckImageBlanks(const Field& containers);

}  // namespace berth::apiserver
