// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// Sets the defaults of a built-in kind that upstream's code computes (not its schema):
// restartPolicy Always, replicas 1, the pull policy by the image's tag. Runs after schema's
// Default. Source: pkg/apis/*/v1/defaults.go of Kubernetes 1.37.
void DefaultKind(const KindInfo& kind, nlohmann::json& object);

// Applies one table of defaults. A scalar is written if it is absent. An object is entered if it is
// present, or created if its key begins with '+'. An array of one element applies to every element.
void ApplyOverlay(const nlohmann::json& overlay, nlohmann::json& object);

}  // namespace berth::apiserver
