// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cel/type.h"

namespace berth::cel {

// Returns the type that rules see for a value of a structural OpenAPI schema, as in a
// CustomResourceDefinition: objects with fields, maps for additionalProperties, lists, timestamps
// for date-time and date, durations and bytes by format, dyn for int-or-string. Fields without a
// type in the schema, and preserved unknown fields, cannot be read. The schema of a whole or
// embedded resource also has apiVersion, kind, metadata.name and metadata.generateName.
//
// Source: apiserver's pkg/cel/common, SchemaDeclType.
TypePtr TypeOfSchema(const nlohmann::json& schema, bool is_resource = false);
// The same for a schema as text. Requires: valid JSON.
TypePtr TypeOfSchemaText(std::string_view schema, bool is_resource = false);

// Returns the name by which expressions read a field of a document. Reserved words and characters
// that are not allowed in names are escaped: "in" as "__in__", "a-b" as "a__dash__b". Returns
// nullopt if no expression can name the field.
std::optional<std::string> EscapeFieldName(std::string_view field);

}  // namespace berth::cel
