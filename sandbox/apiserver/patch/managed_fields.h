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

// ManagerId tells the entries of metadata.managedFields apart. A manager that applies has one entry
// per sub-resource whatever version it used last; one that updates has one per version.
struct ManagerId {
  std::string manager;
  bool applied = false;
  std::string api_version;  // "" for one that applies
  std::string subresource;

  bool operator==(const ManagerId&) const = default;

  // As conflicts name it: "kubectl-edit" with subresource "status" using apps/v1
  std::string ToString() const;
};

// ManagedEntry says what one manager owns.
struct ManagedEntry {
  ManagerId id;
  std::string api_version;  // of `fields`
  std::optional<Time> time;
  FieldSet fields;
  nlohmann::json source;  // what it was decoded from; null once anything is changed

  void Subtract(const FieldSet& taken) {
    if (fields.Subtract(taken)) source = nullptr;
  }
};

// ManagedFields is metadata.managedFields, decoded. A value.
class ManagedFields {
 public:
  // Decode fails (kInvalid) where an entry's operation, apiVersion, fieldsType or fields are wrong.
  static Result<ManagedFields> Decode(nlohmann::json entries);

  // Encode sorts as Kubernetes does: those that apply first, then by time, manager, version. Null
  // when there is nothing to say.
  nlohmann::json Encode() &&;

  bool Empty() const { return entries_.empty(); }
  std::vector<ManagedEntry>& entries() { return entries_; }
  const std::vector<ManagedEntry>& entries() const { return entries_; }

  ManagedEntry* Find(const ManagerId& id);
  // Entry finds or makes the entry of a manager, to be changed.
  ManagedEntry& Entry(const ManagerId& id, std::string_view api_version);
  void DropEmpty();
  // FollowSchema adapts every entry to the schema of today.
  void FollowSchema(const Schema& schema);

 private:
  std::vector<ManagedEntry> entries_;
};

// IsReset says that a client asks for the managed fields to be forgotten: an empty list, or one
// empty entry.
bool IsReset(const nlohmann::json& entries);

}  // namespace berth::apiserver
