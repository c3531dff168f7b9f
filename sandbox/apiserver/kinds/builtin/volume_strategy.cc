// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/strategy.h"

// The defaults of new PersistentVolumes and PersistentVolumeClaims. Only the types of their fields
// are checked.
namespace berth::apiserver {
namespace {

using nlohmann::json;

void AddFinalizer(json& object, const char* name) {
  json& finalizers = object["metadata"]["finalizers"];
  if (!finalizers.is_array()) finalizers = json::array();
  if (std::find(finalizers.begin(), finalizers.end(), name) == finalizers.end())
    finalizers.push_back(name);
}

void PrepareVolume(json& object, Time now) {
  AddFinalizer(object, "kubernetes.io/pv-protection");
  object["status"] = {{"phase", "Pending"}, {"lastPhaseTransitionTime", now.ToString()}};
}

// dataSource and dataSourceRef are the old and the new name of the same field.
void PrepareClaim(json& object, Time /*now*/) {
  AddFinalizer(object, "kubernetes.io/pvc-protection");
  object["status"] = {{"phase", "Pending"}};
  json& spec = object["spec"];
  if (spec.contains("dataSource") && !spec.contains("dataSourceRef"))
    spec["dataSourceRef"] = spec["dataSource"];
  else if (spec.contains("dataSourceRef") && !spec.contains("dataSource") &&
           TextAt(spec, "dataSourceRef/namespace").empty())
    spec["dataSource"] = spec["dataSourceRef"];
}

}  // namespace

const Strategy* VolumeStrategy(const KindInfo& kind) {
  static const Strategy kVolume = {.prepare_create = PrepareVolume};
  static const Strategy kClaim = {.prepare_create = PrepareClaim};
  if (!kind.group.empty()) return nullptr;
  if (kind.kind == "PersistentVolume") return &kVolume;
  return kind.kind == "PersistentVolumeClaim" ? &kClaim : nullptr;
}

}  // namespace berth::apiserver
