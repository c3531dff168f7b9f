// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// A kind of a group version, for its OpenAPI document.
struct PublishedKind {
  GroupVersionKind kind;
  // The schema of the CustomResourceDefinition (with descriptions), or null for a built-in kind.
  const nlohmann::json* custom_schema = nullptr;
};

// Returns `components.schemas` of an OpenAPI v3 document: every kind with all types that it
// references, the types that all paths use (Status, DeleteOptions, ...), and for custom kinds
// apiVersion, kind, metadata and a list kind. The caller adds the paths.
nlohmann::json ComponentSchemas(std::span<const PublishedKind> kinds);

// Returns the name of a custom kind in it: {"example.com", "v1", "Thing"} is
// "com.example.v1.Thing".
std::string ComponentName(const GroupVersionKind& kind);

}  // namespace berth::apiserver
