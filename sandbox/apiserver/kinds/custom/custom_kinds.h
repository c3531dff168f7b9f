// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/store/object.h"

namespace berth::apiserver {

struct State;

// Holds a definition that is being deleted until its objects are gone.
inline constexpr const char* kCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

// KindsOf makes the kinds a CustomResourceDefinition serves, one per served version. Requires: the
// definition was validated.
std::vector<KindPtr> KindsOf(const nlohmann::json& definition);

// DefaultDefinition fills in names that follow from others, and the conversion.
void DefaultDefinition(nlohmann::json& definition);

// RecordDefinition follows a change of a definition (`now` null: it is gone): the kinds are served or
// not any more, its status says so, and one that is being deleted takes its objects along.
void RecordDefinition(State& state, const nlohmann::json* now, const Object* before);

// RecordCustomGone lets a definition go that waited for its last object.
void RecordCustomGone(State& state, const KindInfo& kind);

}  // namespace berth::apiserver
