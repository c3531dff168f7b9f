// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cel/type.h"

namespace berth::cel {

// TypeOfSchema is the type that rules see for a value of a structural OpenAPI schema, as a
// CustomResourceDefinition has it: objects with their fields, maps for additionalProperties, lists,
// timestamps for date-time and date, durations and bytes by format; dyn for int-or-string. Fields
// whose schema gives no type, and unknown fields that are preserved, cannot be read. The schema of
// a whole resource, or of an embedded one, also has apiVersion, kind, metadata.name and
// metadata.generateName.
//
// Source: apiserver's pkg/cel/common, SchemaDeclType.
TypePtr TypeOfSchema(const nlohmann::json& schema, bool is_resource = false);

// EscapeFieldName gives the name by which expressions read a field of a document: words that the
// language reserves and characters that names cannot have are written out, "in" as "__in__", "a-b"
// as "a__dash__b". Nothing for a field that no expression can name.
std::optional<std::string> EscapeFieldName(std::string_view field);

}  // namespace berth::cel
