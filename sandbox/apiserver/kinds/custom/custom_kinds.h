// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/store/object.h"

namespace berth::apiserver {

struct State;

// Keeps a definition that is being deleted until all its objects are deleted.
inline constexpr const char* kCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

// Returns the kinds that a CustomResourceDefinition serves, one per served version. Requires: the
// definition was validated.
std::vector<KindPtr> KindsOf(const nlohmann::json& definition);

// Fills in names that follow from others, and the conversion.
void DefaultDefinition(nlohmann::json& definition);

// Handles a change of a definition (`now` is null after its deletion): serves its kinds or stops
// serving them, updates its status, and deletes its objects if it is being deleted.
void RecordDefinition(State& state, const nlohmann::json* now, const Object* before);

// Removes a definition that waited for the deletion of its last object.
void RecordCustomGone(State& state, const KindInfo& kind);

}  // namespace berth::apiserver
