// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// DefaultKind puts in what a real server's code, not its schema, writes for absent fields of a
// built-in kind: restartPolicy Always, replicas 1, the pull policy by the image's tag. Run after
// schema's Default. Source: pkg/apis/*/v1/defaults.go of Kubernetes 1.36.
void DefaultKind(const KindInfo& kind, nlohmann::json& object);

// Overlay is one table of defaults: scalars are written where absent; an object is entered if it is
// there, or made if its key begins with '+'; an array of one element is for every element.
void ApplyOverlay(const nlohmann::json& overlay, nlohmann::json& object);

}  // namespace berth::apiserver
