// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// The part of an object's metadata that is the server's.

// WipeSystemFields takes out of metadata what a client cannot give a new object. Source: apiserver
// pkg/registry/rest/meta.go.
void WipeSystemFields(nlohmann::json& metadata);

// KeepSystemFields carries over from the old metadata what an update cannot change. A uid or the
// end of a deletion that differs is left for validation to refuse. Source: BeforeUpdate of
// apiserver pkg/registry/rest/update.go.
void KeepSystemFields(const nlohmann::json& old, nlohmann::json& metadata);

// VersionOf is the resourceVersion that a document names, 0 if it names none. What is no number is
// 500, in the words of Go's strconv.
Answer<uint64_t> VersionOf(const nlohmann::json& document);

}  // namespace berth::apiserver
