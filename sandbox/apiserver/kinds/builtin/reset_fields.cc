// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/reset_fields.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

// StatusReset holds the fields, besides spec, that a status write does not change. No fields: all
// metadata.
struct StatusReset {
  std::vector<std::string_view> metadata;
  FieldSet fields;
};

StatusReset AllMetadata() { return {{}, FieldSet::Of({{"metadata"}, {"spec"}})}; }

const StatusReset* StatusResetOf(const KindInfo& kind) {
  static const StatusReset kAll = AllMetadata();
  static const StatusReset kLabels = {{"labels"}, FieldSet::Of({{"metadata", "labels"}, {"spec"}})};
  static const StatusReset kOwners = {
      {"deletionTimestamp", "ownerReferences"},
      FieldSet::Of({{"metadata", "deletionTimestamp"}, {"metadata", "ownerReferences"}, {"spec"}})};
  static constexpr std::string_view kWhole[] = {"CustomResourceDefinition",
                                                "ValidatingAdmissionPolicy", "ServiceCIDR",
                                                "ResourceClaim", "VolumeAttachment"};
  if (kind.custom || std::find(std::begin(kWhole), std::end(kWhole), kind.kind) != std::end(kWhole))
    return &kAll;
  if (kind.group == "apps" && kind.kind == "Deployment") return &kLabels;
  if (kind.group.empty() && kind.kind == "Pod") return &kOwners;
  return nullptr;
}

}  // namespace

const FieldSet* ResetFields(const KindInfo& kind, std::string_view subresource) {
  static const FieldSet kStatus = FieldSet::Of({{"status"}});
  static const FieldSet kSpec = FieldSet::Of({{"spec"}});
  if (!kind.HasStatus()) return nullptr;
  if (subresource != "status") return &kStatus;
  const StatusReset* reset = StatusResetOf(kind);
  return reset == nullptr ? &kSpec : &reset->fields;
}

void KeepStatusMetadata(const KindInfo& kind, json& metadata, const json& old) {
  const StatusReset* reset = StatusResetOf(kind);
  if (reset == nullptr) return;
  const json& before = old["metadata"];
  if (reset->metadata.empty()) {
    const auto managed = metadata.find("managedFields");
    json kept = before;
    if (managed != metadata.end())
      kept["managedFields"] = std::move(*managed);
    else
      kept.erase("managedFields");
    metadata = std::move(kept);
    return;
  }
  for (const std::string_view field : reset->metadata) {
    if (const auto found = before.find(field); found != before.end())
      metadata[std::string(field)] = *found;
    else
      metadata.erase(std::string(field));
  }
}

}  // namespace berth::apiserver
