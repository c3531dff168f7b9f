// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include "base/error.h"
#include "base/time.h"
#include "sandbox/apiserver/patch/field_set.h"
#include "sandbox/apiserver/patch/managed_fields.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// FieldWrite describes a write: the manager, the part of the object, the time. The pointers must
// outlive the call.
struct FieldWrite {
  const Schema* schema = nullptr;
  GroupVersionKind kind;    // of the request's version
  std::string manager;      // "" is "unknown"
  std::string subresource;  // "status", or "" for the object itself
  Time now;
  bool creating = false;  // the object does not exist yet; `live` is ignored
  // Fields that this kind of request cannot change and therefore never owns: {status} for the
  // object itself. Null for none.
  const FieldSet* reset = nullptr;
};

// Writes metadata.managedFields of `updated`, the object that a create, update or patch (other than
// apply) would store. The writer becomes the only owner of all fields that differ from `live`.
// Entries in `updated` that the client sent replace those of `live`; an empty list drops all
// entries. An existing object without entries stays without.
void RecordUpdate(const FieldWrite& write, const nlohmann::json& live, nlohmann::json* updated);

// FieldConflict is a field that an apply would change and another manager owns.
struct FieldConflict {
  ManagerId owner;
  std::string field;  // .spec.replicas

  // Returns the message of a cause in the Status: conflict with "kubectl" using apps/v1
  std::string Message() const { return "conflict with " + owner.ToString(); }
};

// ApplyFailure is the error of a failed apply. For conflicts the reason is kConflict and the
// message lists them as upstream does; each one is a cause "FieldManagerConflict" of the Status.
struct ApplyFailure {
  Error error;
  std::vector<FieldConflict> conflicts;
};

// Merges `applied` into `live` for the writer and returns the object to store, before defaulting
// (an emptied field can be null, which Default removes). Removes fields that the writer applied
// before and no longer applies, unless another manager owns them. `force` takes fields from their
// owners instead of failing with conflicts. Errors: kBadRequest for a wrong kind or for
// managedFields in `applied`; PatchFailure (patch_failure.h), as upstream, for a document that does
// not fit the schema.
tl::expected<nlohmann::json, ApplyFailure> ApplyServerSide(const FieldWrite& write, bool force,
                                                           const nlohmann::json& live,
                                                           const nlohmann::json& applied);

}  // namespace berth::apiserver
