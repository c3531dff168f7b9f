// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/patch/field_set.h"

namespace berth::apiserver {

// What a write through one door of an object cannot change: status through the object itself;
// through the status sub-resource spec and, as each kind has it, labels, all metadata or other
// parts of it. Source: GetResetFields and PrepareForUpdate of pkg/registry/*/strategy.go.

// ResetFields is that as a set, which nobody comes to own through such a write; null for none. It
// lives as long as the program.
const FieldSet* ResetFields(const KindInfo& kind, std::string_view subresource);

// KeepStatusMetadata puts back what a write of a status has no say in: `metadata` is what was sent,
// and gets what `old` (the whole object) has. Who owns which field is the writer's in any case.
void KeepStatusMetadata(const KindInfo& kind, nlohmann::json& metadata, const nlohmann::json& old);

}  // namespace berth::apiserver
