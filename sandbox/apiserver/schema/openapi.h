// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// A kind that a group version serves, for its OpenAPI document.
struct PublishedKind {
  GroupVersionKind kind;
  // The schema as the CustomResourceDefinition has it (descriptions included), or null for a
  // built-in kind.
  const nlohmann::json* custom_schema = nullptr;
};

// ComponentSchemas makes `components.schemas` of an OpenAPI v3 document: every kind with all it
// refers to, what the paths of any group version refer to (Status, DeleteOptions, ...), custom
// kinds with apiVersion, kind, metadata and a list kind added. Paths are the caller's part.
nlohmann::json ComponentSchemas(std::span<const PublishedKind> kinds);

// ComponentName is where a custom kind stands in it: {"example.com", "v1", "Thing"} is
// "com.example.v1.Thing".
std::string ComponentName(const GroupVersionKind& kind);

}  // namespace berth::apiserver
