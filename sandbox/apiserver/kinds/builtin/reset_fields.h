// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/patch/field_set.h"

namespace berth::apiserver {

// Fields that a write through one endpoint cannot change. A write to the object cannot change the
// status. A write to the status subresource cannot change the spec and, depending on the kind,
// labels, all metadata or other fields. Source: GetResetFields and PrepareForUpdate of
// pkg/registry/*/strategy.go.

// Returns these fields as a set, or null if there are none. Such a write never owns them. The set
// lives as long as the program.
const FieldSet* ResetFields(const KindInfo& kind, std::string_view subresource);

// Restores the metadata that a status write cannot change: copies it from `old` (the whole object)
// to `metadata` (as sent). managedFields are left to the writer.
void KeepStatusMetadata(const KindInfo& kind, nlohmann::json& metadata, const nlohmann::json& old);

}  // namespace berth::apiserver
