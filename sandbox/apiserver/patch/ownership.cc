// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/ownership.h"

#include <nlohmann/json.hpp>

namespace berth::apiserver {

using nlohmann::json;

const json& StoredManagedFields(const json& object) {
  static const json kNone;
  const auto metadata = object.find("metadata");
  if (metadata == object.end() || !metadata->is_object()) return kNone;
  const auto entries = metadata->find("managedFields");
  return entries == metadata->end() ? kNone : *entries;
}

json TakeManagedFields(json* metadata) {
  if (!metadata->is_object()) return nullptr;
  const auto at = metadata->find("managedFields");
  if (at == metadata->end()) return nullptr;
  json entries = std::move(*at);
  metadata->erase(at);
  return entries;
}

void DropUnowned(const FieldWrite& write, FieldChanges* changes) {
  static const FieldSet kEntries = FieldSet::Of({{"metadata", "managedFields"}});
  for (FieldSet* set : {&changes->added, &changes->modified, &changes->removed}) {
    set->SubtractRecursively(kEntries);
    if (write.reset != nullptr) set->SubtractRecursively(*write.reset);
  }
}

void StripUnownable(FieldSet* fields) {
  static const FieldSet kUnownable = FieldSet::Of({{"apiVersion"},
                                                   {"kind"},
                                                   {"metadata"},
                                                   {"metadata", "name"},
                                                   {"metadata", "namespace"},
                                                   {"metadata", "creationTimestamp"},
                                                   {"metadata", "selfLink"},
                                                   {"metadata", "uid"},
                                                   {"metadata", "clusterName"},
                                                   {"metadata", "generation"},
                                                   {"metadata", "managedFields"},
                                                   {"metadata", "resourceVersion"}});
  fields->Subtract(kUnownable);
}

void Own(const FieldWrite& write, FieldChanges changes, ManagedFields* managed) {
  managed->FollowSchema(*write.schema);
  for (const FieldSet* taken : {&changes.added, &changes.modified, &changes.removed})
    for (ManagedEntry& entry : managed->entries()) entry.Subtract(*taken);
  managed->DropEmpty();
  FieldSet taken = std::move(changes.added);
  taken.Unite(changes.modified);
  StripUnownable(&taken);
  if (taken.Empty()) return;
  const std::string version = write.kind.ApiVersion();
  ManagedEntry& entry = managed->Entry(
      {write.manager.empty() ? "unknown" : write.manager, false, version, write.subresource},
      version);
  entry.fields.Unite(taken);
  entry.time = write.now;
}

}  // namespace berth::apiserver
