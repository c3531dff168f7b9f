// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/rest/writer.h"

namespace berth::apiserver {

// Sub-resources that are no part of their object: a document comes in and does something.

// Success is the Status that answers those without a document of their own.
Written Success(int code);

// Bind gives a pod its node. Conflict when it has one or is going.
Answer<Written> BindPod(State& state, const WriteCall& call, const nlohmann::json& binding);

// Evict deletes a pod unless a PodDisruptionBudget does not allow it now (429).
Answer<Written> EvictPod(State& state, const WriteCall& call, const nlohmann::json& eviction);

// ScaleOf shows an object's replicas as autoscaling/v1 Scale. WriteScale changes them by an update,
// or by a patch if `patch_type` is not empty, and gives the new Scale.
nlohmann::json ScaleOf(const KindInfo& kind, const nlohmann::json& object);
Answer<nlohmann::json> WriteScale(State& state, const WriteCall& parent,
                                  std::string_view patch_type, std::string_view body_type,
                                  const std::string& body);

// RequestToken makes a token for a ServiceAccount (TokenRequest).
Answer<nlohmann::json> RequestToken(State& state, const WriteCall& call, nlohmann::json request);

}  // namespace berth::apiserver
