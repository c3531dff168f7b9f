// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/patch/field_set.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// The operations of server-side apply on documents of a schema. Pure functions. They require
// documents that fit the schema (CheckTyped) and skip undeclared fields. Source:
// structured-merge-diff, typed.

// FieldChanges is the difference of two documents; no path is in two of the sets.
struct FieldChanges {
  FieldSet added, modified, removed;

  bool Empty() const { return added.Empty() && modified.Empty() && removed.Empty(); }
};

FieldChanges Compare(const Schema& schema, const nlohmann::json& before,
                     const nlohmann::json& after);

// Returns all leaves of a document, all items of lists and all entries of maps.
FieldSet FieldsOf(const Schema& schema, const nlohmann::json& document);

// Merges `applied` into `live`: leaves of `applied` win, items and entries are joined. Nothing is
// removed. Lists keep the order of `live`, unless `applied` reorders items.
nlohmann::json MergeTyped(const Schema& schema, const nlohmann::json& live,
                          const nlohmann::json& applied);

// Removes the members of `fields` from a document, and the containers that become empty.
nlohmann::json RemoveFields(const Schema& schema, const nlohmann::json& document,
                            const FieldSet& fields);

// Rejects documents that server-side apply cannot merge: undeclared fields, wrong types, items
// without keys, duplicate keys. Errors (kInvalid) begin with the path: .spec.foo: field not
// declared in schema
Result<void> CheckTyped(const Schema& schema, const nlohmann::json& document);

}  // namespace berth::apiserver
