// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/patch/field_set.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// The operations of server-side apply on documents of a schema. Pure functions; they expect
// documents that fit the schema (CheckTyped) and skip fields that it does not declare. Source:
// structured-merge-diff, typed.

// FieldChanges says how one document differs from another; no path is in two of the sets.
struct FieldChanges {
  FieldSet added, modified, removed;

  bool Empty() const { return added.Empty() && modified.Empty() && removed.Empty(); }
};

FieldChanges Compare(const Schema& schema, const nlohmann::json& before,
                     const nlohmann::json& after);

// FieldsOf gives every leaf a document names, and every item of lists and entry of maps.
FieldSet FieldsOf(const Schema& schema, const nlohmann::json& document);

// MergeTyped lays `applied` over `live`: leaves of `applied` win, items and entries are joined.
// Nothing is removed. Lists keep the order of `live`, unless `applied` reorders items.
nlohmann::json MergeTyped(const Schema& schema, const nlohmann::json& live,
                          const nlohmann::json& applied);

// RemoveFields takes the members of `fields` out of a document, and containers that are emptied by
// it.
nlohmann::json RemoveFields(const Schema& schema, const nlohmann::json& document,
                            const FieldSet& fields);

// CheckTyped refuses what server-side apply cannot merge: undeclared fields, wrong types, items
// without keys, keys that occur twice. Errors (kInvalid) begin with the path: .spec.foo: field not
// declared in schema
Result<void> CheckTyped(const Schema& schema, const nlohmann::json& document);

}  // namespace berth::apiserver
