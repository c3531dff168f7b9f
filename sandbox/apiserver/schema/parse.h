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

// SchemaArena owns nodes; their addresses are stable.
using SchemaArena = std::deque<Schema>;

// SchemaParser parses JSON Schema, in the form of OpenAPI v3 with Kubernetes' extensions, into
// nodes. It reads a CRD's openAPIV3Schema and the built-in table (builtin/README.md). It does not
// check whether a CRD's schema is structural.
class SchemaParser {
 public:
  // A Resolver returns the node of a "$ref", or null; the node may not be filled yet.
  using Resolver = std::function<const Schema*(std::string_view name)>;

  SchemaParser(SchemaArena* arena, Resolver resolve)
      : arena_(arena), resolve_(std::move(resolve)) {}

  // Parses `source` into `node`. Errors (kInvalid) name the field: a keyword of the wrong type, an
  // unknown reference, an invalid regular expression.
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

// Returns the schema of a custom resource from a version's openAPIV3Schema: its declared fields
// plus apiVersion, kind and metadata (a built-in ObjectMeta). The result owns its nodes.
Result<std::shared_ptr<const Schema>> ParseResourceSchema(const nlohmann::json& source);

}  // namespace berth::apiserver
