// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// SchemaArena owns nodes; they do not move.
using SchemaArena = std::deque<Schema>;

// SchemaParser turns JSON Schema, as OpenAPI v3 writes it with Kubernetes' extensions, into nodes.
// It reads a CRD's openAPIV3Schema and the built-in table (builtin/README.md) alike and believes
// what it reads (whether a CRD's schema is structural is not checked).
class SchemaParser {
 public:
  // A Resolver gives the node a "$ref" names, or null; the node may still be unfilled.
  using Resolver = std::function<const Schema*(std::string_view name)>;

  SchemaParser(SchemaArena* arena, Resolver resolve)
      : arena_(arena), resolve_(std::move(resolve)) {}

  // Fill writes what `source` says into `node`. Errors (kInvalid) name the field: a wrong type of
  // keyword, an unknown reference, a pattern that is no regular expression.
  Result<void> Fill(const nlohmann::json& source, Schema* node);

 private:
  Result<void> FillAt(const nlohmann::json& source, bool preserves, Schema* node);
  Result<Slot> ParseSlot(const nlohmann::json& source, bool preserves);
  Result<const Schema*> ParseNode(const nlohmann::json& source, bool preserves);
  Result<void> ParseChildren(const nlohmann::json& source, bool preserves, Schema* node);
  Result<void> ParseRules(const nlohmann::json& source, Schema* node);

  SchemaArena* arena_;
  Resolver resolve_;
};

// ParseResourceSchema makes the schema of a custom resource out of a version's openAPIV3Schema:
// what the resource declares, with apiVersion, kind and metadata (a built-in ObjectMeta) as every
// object has them. The result owns its nodes.
Result<std::shared_ptr<const Schema>> ParseResourceSchema(const nlohmann::json& source);

}  // namespace berth::apiserver
