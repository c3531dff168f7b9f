// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"

namespace berth::apiserver {

// SchemaPath is where a path of fields leads in the schema of a custom resource.
struct SchemaPath {
  std::string text;                        // as messages name it: "spec.low", "spec.words[a.b]"
  const nlohmann::json* schema = nullptr;  // of what stands there
};

enum class PathNotation : uint8_t { kDots, kDotsAndKeys };

// ResolveSchemaPath follows `.spec.low` or, with kDotsAndKeys, `.spec['a.b']` through the
// properties and the map entries that `schema` (a JSON Schema) declares. Errors are worded as
// upstream's. Source: apiextensions-apiserver, schema/cel.ValidFieldPath.
Result<SchemaPath> ResolveSchemaPath(const nlohmann::json& schema, std::string_view path,
                                     PathNotation notation);

}  // namespace berth::apiserver
