// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// What may be asked in a SubjectAccessReview, SelfSubjectAccessReview or LocalSubjectAccessReview.
// The document has the types of its kind. Source: pkg/apis/authorization/validation.
Problems CheckAccessReview(const KindInfo& kind, const nlohmann::json& review);

// SelectorsError says which selectors of a review's spec cannot be understood; "" when all can.
// Such a selector counts as absent. Source: pkg/registry/authorization/util.
std::string SelectorsError(const nlohmann::json& spec);

}  // namespace berth::apiserver
