// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/time.h"
#include "sandbox/apiserver/patch/field_set.h"

namespace berth::apiserver {

struct Schema;

// ManagerId identifies an entry of metadata.managedFields. An applying manager has one entry per
// subresource, for all versions; an updating one has an entry per version.
struct ManagerId {
  std::string manager;
  bool applied = false;
  std::string api_version;  // "" for an applying manager
  std::string subresource;

  bool operator==(const ManagerId&) const = default;

  // Returns the form in conflicts: "kubectl-edit" with subresource "status" using apps/v1
  std::string ToString() const;
};

// ManagedEntry holds the fields of one manager.
struct ManagedEntry {
  ManagerId id;
  std::string api_version;  // of `fields`
  std::optional<Time> time;
  FieldSet fields;
  nlohmann::json source;  // the JSON it was decoded from; null after a change

  void Subtract(const FieldSet& taken) {
    if (fields.Subtract(taken)) source = nullptr;
  }
};

// ManagedFields is the decoded metadata.managedFields. A value type.
class ManagedFields {
 public:
  // Fails (kInvalid) if an entry's operation, apiVersion, fieldsType or fields are invalid.
  static Result<ManagedFields> Decode(nlohmann::json entries);

  // Returns the entries in Kubernetes' order: applying managers first, then by time, manager,
  // version. Null if there are no entries.
  nlohmann::json Encode() &&;

  bool Empty() const { return entries_.empty(); }
  std::vector<ManagedEntry>& entries() { return entries_; }
  const std::vector<ManagedEntry>& entries() const { return entries_; }

  ManagedEntry* Find(const ManagerId& id);
  // Finds or creates the entry of a manager, for modification.
  ManagedEntry& Entry(const ManagerId& id, std::string_view api_version);
  void DropEmpty();
  // Adapts every entry to the current schema.
  void FollowSchema(const Schema& schema);

 private:
  std::vector<ManagedEntry> entries_;
};

// Reports whether a client requests to drop all entries: with an empty list, or a list of one empty
// entry.
bool IsReset(const nlohmann::json& entries);

}  // namespace berth::apiserver
