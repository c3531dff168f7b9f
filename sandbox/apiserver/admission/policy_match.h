// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/admission/admission.h"

namespace berth::apiserver {

// MatchesResources says whether a request is one that `matchConstraints` or `matchResources` of a
// policy are about: its rules, and the labels of the object (old or new) and its namespace.
// `name_space` is the namespace's document, or null for a cluster-scoped object.
bool MatchesResources(const nlohmann::json& match, const AdmissionRequest& request,
                      const nlohmann::json* object, const nlohmann::json* name_space);

}  // namespace berth::apiserver
