// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/admission/admission.h"

namespace berth::apiserver {

// Reports whether a request matches a policy's `matchConstraints` or a binding's `matchResources`:
// its rules, and the labels of the object (old or new) and of its namespace. `name_space` is the
// namespace's document, or null for a cluster-scoped object.
bool MatchesResources(const nlohmann::json& match, const AdmissionRequest& request,
                      const nlohmann::json* object, const nlohmann::json* name_space);

}  // namespace berth::apiserver
