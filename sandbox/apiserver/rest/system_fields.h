// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// The metadata that the server sets.

// Removes metadata that a client cannot set on a new object. Source: apiserver
// pkg/registry/rest/meta.go.
void WipeSystemFields(nlohmann::json& metadata);

// Restores the metadata that an update cannot change. Keeps a different uid or
// deletionGracePeriodSeconds, and a deletionTimestamp that the old object lacks; validation rejects
// them. Source: BeforeUpdate of apiserver pkg/registry/rest/update.go.
void KeepSystemFields(const nlohmann::json& old, nlohmann::json& metadata);

// Returns the resourceVersion of a document, 0 if it has none. Fails with 500 and the text of Go's
// strconv if it is not a number.
Answer<uint64_t> VersionOf(const nlohmann::json& document);

}  // namespace berth::apiserver
