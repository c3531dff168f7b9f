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

// Who writes, to which part of the object, when. What it points to outlives the call.
struct FieldWrite {
  const Schema* schema = nullptr;
  GroupVersionKind kind;    // of the request's version
  std::string manager;      // "" is "unknown"
  std::string subresource;  // "status", or "" for the object itself
  Time now;
  bool creating = false;  // the object is not there yet; `live` is ignored
  // Fields this kind of request cannot change, so that nobody comes to own them through it:
  // {status} for the object itself. Null for none.
  const FieldSet* reset = nullptr;
};

// RecordUpdate writes metadata.managedFields of `updated`, the object as a create, update or patch
// (other than apply) would store it: what differs from `live` is the writer's from now on and no
// one else's. Entries in `updated` that a client sent along replace those of `live`; an empty list
// forgets them all. An object without entries that is not being created stays without.
void RecordUpdate(const FieldWrite& write, const nlohmann::json& live, nlohmann::json* updated);

// FieldConflict is a field that an apply would change and another manager owns.
struct FieldConflict {
  ManagerId owner;
  std::string field;  // .spec.replicas

  // The message of a cause in the Status: conflict with "kubectl" using apps/v1
  std::string Message() const { return "conflict with " + owner.ToString(); }
};

// ApplyFailure is why an apply did nothing. With conflicts the reason is kConflict and the message
// lists them as upstream does; each is a cause "FieldManagerConflict" of the Status.
struct ApplyFailure {
  Error error;
  std::vector<FieldConflict> conflicts;
};

// ApplyServerSide merges `applied` into `live` on behalf of the writer and gives the object as it
// should be stored, before defaults are put in (a place that lost all it held can be null, which
// Default removes). Fields the writer applied before and no longer does go, unless another manager
// owns them. `force` takes fields from their owners instead of failing with conflicts. Errors:
// kBadRequest for a wrong kind or managedFields in `applied`; PatchFailure (patch_failure.h), as
// upstream, for a document that does not fit the schema.
tl::expected<nlohmann::json, ApplyFailure> ApplyServerSide(const FieldWrite& write, bool force,
                                                           const nlohmann::json& live,
                                                           const nlohmann::json& applied);

}  // namespace berth::apiserver
