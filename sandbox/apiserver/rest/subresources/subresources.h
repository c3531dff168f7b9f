// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/rest/writer.h"

namespace berth::apiserver {

// Subresources with documents of their own: a POST performs an action on the object.

// Returns the Status Success, for actions without a document in the response.
Written Success(int code);

// Assigns a pod to its node. Conflict if the pod is assigned or terminating.
Answer<Written> BindPod(State& state, const WriteCall& call, const nlohmann::json& binding);

// Deletes a pod, or returns 429 if a PodDisruptionBudget does not allow it now.
Answer<Written> EvictPod(State& state, const WriteCall& call, const nlohmann::json& eviction);

// ScaleOf returns an object's replicas as autoscaling/v1 Scale. WriteScale changes them by an
// update, or by a patch if `patch_type` is not empty, and returns the new Scale.
nlohmann::json ScaleOf(const KindInfo& kind, const nlohmann::json& object);
Answer<nlohmann::json> WriteScale(State& state, const WriteCall& parent,
                                  std::string_view patch_type, std::string_view body_type,
                                  const std::string& body);

// Issues a token for a ServiceAccount (TokenRequest).
Answer<nlohmann::json> RequestToken(State& state, const WriteCall& call, nlohmann::json request);

}  // namespace berth::apiserver
