// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/auth/user.h"
#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

struct State;

// Review answers a TokenReview, SubjectAccessReview, SelfSubjectReview or their like: the document
// comes back with its status. It has the types of its kind and the namespace of the request.
Answer<nlohmann::json> Review(State& state, const KindInfo& kind, const UserInfo& user,
                              nlohmann::json document);

}  // namespace berth::apiserver
