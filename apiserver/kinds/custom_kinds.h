// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "api/field_error.h"
#include "apiserver/kinds/kind_info.h"
#include "apiserver/kinds/strategy.h"

namespace berth::apiserver {

struct State;

// Holds a definition that is being deleted until its objects are gone.
inline constexpr const char* kCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

// KindsOf makes the kinds a CustomResourceDefinition serves, one per served version. Requires: the
// definition was validated.
std::vector<KindPtr> KindsOf(const nlohmann::json& definition);

// DefaultDefinition fills in names that follow from others, and the conversion.
void DefaultDefinition(nlohmann::json& definition);

// ValidateDefinition finds what is wrong with a definition: its name, its versions, schemas that
// are not structural, rules that do not compile.
void ValidateDefinition(const nlohmann::json& definition, Problems& problems);

// NoteDefinition follows a change of a definition (`now` null: it is gone): the kinds are served or
// not any more, its status says so, and one that is being deleted takes its objects along.
void NoteDefinition(State& state, const nlohmann::json* now, const nlohmann::json* before);

// NoteCustomGone lets a definition go that waited for its last object.
void NoteCustomGone(State& state, const KindInfo& kind);

// ProblemOf gives a finding of schema/ the form of ours.
FieldProblem ProblemOf(const api::FieldError& error);

}  // namespace berth::apiserver
