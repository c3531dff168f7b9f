// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/auth/user.h"
#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

struct State;

// Answers a TokenReview, SubjectAccessReview, SelfSubjectReview and the like: returns the document
// with its status. The document has the types of its kind and the namespace of the request.
Answer<nlohmann::json> Review(State& state, const KindInfo& kind, const UserInfo& user,
                              nlohmann::json document);

}  // namespace berth::apiserver
