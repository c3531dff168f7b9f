// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "apiserver/rest/writer.h"

namespace berth::apiserver {

// Sub-resources that are no part of their object: a document comes in and does something.

// Bind gives a pod its node. Conflict when it has one or is going.
Answer<Written> BindPod(State& state, const WriteCall& call, const nlohmann::json& binding);

// Evict deletes a pod unless a PodDisruptionBudget does not allow it now (429).
Answer<Written> EvictPod(State& state, const WriteCall& call, const nlohmann::json& eviction);

// ScaleOf shows an object's replicas as autoscaling/v1 Scale; SetScale changes them.
Answer<nlohmann::json> ScaleOf(const KindInfo& kind, const nlohmann::json& object);
Answer<void> SetScale(const KindInfo& kind, const nlohmann::json& scale, nlohmann::json& object);

// RequestToken makes a token for a ServiceAccount (TokenRequest).
Answer<nlohmann::json> RequestToken(State& state, const WriteCall& call, nlohmann::json request);

// FinalizeNamespace sets spec.finalizers; the last one lets the namespace go.
Answer<Written> FinalizeNamespace(State& state, const WriteCall& call,
                                  const nlohmann::json& document);

}  // namespace berth::apiserver
