// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include <nlohmann/json.hpp>

#include "base/quantity.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/strategy.h"

// PersistentVolumes and their claims. Source: pkg/apis/core/validation of Kubernetes. Sources of
// plug-ins that left the tree are counted, not checked.
namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> kAccessModes = {"ReadOnlyMany", "ReadWriteMany",
                                                          "ReadWriteOnce", "ReadWriteOncePod"};
constexpr const char* kSources[] = {"hostPath",
                                    "gcePersistentDisk",
                                    "awsElasticBlockStore",
                                    "glusterfs",
                                    "nfs",
                                    "rbd",
                                    "quobyte",
                                    "cephfs",
                                    "iscsi",
                                    "cinder",
                                    "fc",
                                    "flexVolume",
                                    "flocker",
                                    "azureFile",
                                    "vsphereVolume",
                                    "portworxVolume",
                                    "azureDisk",
                                    "scaleIO",
                                    "storageos",
                                    "photonPersistentDisk",
                                    "local",
                                    "csi"};

void AddFinalizer(json& object, const char* name) {
  json& list = object["metadata"]["finalizers"];
  if (!list.is_array()) list = json::array();
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

void CheckAccessModes(const Field& modes, std::string required) {
  if (!modes.Require(std::move(required))) return;
  bool alone = false;
  for (const Field& mode : modes.Items()) {
    mode.At(modes.path()).OneOf(kAccessModes);
    alone |= mode.Text() == "ReadWriteOncePod";
  }
  if (alone && modes.Items().size() > 1)
    modes.Forbidden("may not use ReadWriteOncePod with other access modes");
}

void CheckSize(const Field& size) {
  const auto quantity = Quantity::Parse(size.Text());
  if (quantity && *quantity <= Quantity())
    size.Invalid(Quoted(quantity->ToString()), "must be greater than zero");
}

void CheckClassAndMode(const Field& spec) {
  if (!spec["storageClassName"].IsEmpty()) spec["storageClassName"].Named(CheckDnsSubdomain);
  spec["volumeMode"].OneOf({"Block", "Filesystem"});
}

void CheckCapacity(const Field& capacity) {
  static constexpr std::array<std::string_view, 1> kStorage = {"storage"};
  capacity.Require();
  const auto entries = capacity.Entries();
  if (!capacity["storage"].IsSet() || entries.size() > 1)
    capacity.NotSupported(capacity.IsEmpty() ? "null" : capacity.value().dump(), kStorage);
  for (const Field::Entry& entry : entries) CheckSize(entry.value);
}

void CheckSource(const Field& spec, const char* name) {
  const Field source = spec[name];
  const std::string_view kind = name;
  if (kind == "hostPath" || kind == "local") {
    if (source["path"].Require()) CheckNoBacksteps(source["path"]);
    if (kind == "local" && !spec["nodeAffinity"].IsSet())
      spec["nodeAffinity"].Required("Local volume requires node affinity");
  } else if (kind == "nfs") {
    source["server"].Require();
    if (source["path"].Require() && !source["path"].Text().starts_with('/'))
      source["path"].Invalid("must be an absolute path");
  } else if (kind == "csi") {
    source["driver"].Require();
    source["volumeHandle"].Require();
  }
}

void CheckVolumeSource(const Field& spec) {
  size_t count = 0;
  for (const char* name : kSources) {
    if (!spec[name].IsSet()) continue;
    if (count++ > 0)
      spec[name].Forbidden("may not specify more than 1 volume type");
    else
      CheckSource(spec, name);
  }
  if (count == 0) spec.Required("must specify a volume type");
  if (spec["hostPath"]["path"].Text() == "/" &&
      spec["persistentVolumeReclaimPolicy"].Text() == "Recycle")
    spec["persistentVolumeReclaimPolicy"].Forbidden(
        "may not be 'recycle' for a hostPath mount of '/'");
}

void ValidateVolume(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  CheckAccessModes(spec["accessModes"], {});
  CheckCapacity(spec["capacity"]);
  spec["persistentVolumeReclaimPolicy"].OneOf({"Delete", "Recycle", "Retain"});
  const Field affinity = spec["nodeAffinity"];
  if (affinity.IsSet() && !affinity["required"].IsSet())
    affinity["required"].Required("must specify required node constraints");
  CheckNodeSelector(affinity["required"]);
  CheckVolumeSource(spec);
  CheckClassAndMode(spec);
}

void ValidateVolumeUpdate(const json& object, const json& old, Problems& problems) {
  const Field now = Field(object, problems)["spec"];
  const Field before = Field(old, problems)["spec"];
  const bool same = std::all_of(std::begin(kSources), std::end(kSources), [&](const char* name) {
    return now[name].value() == before[name].value();
  });
  if (!same) {
    now.At("spec.persistentvolumesource")
        .Forbidden("spec.persistentvolumesource is immutable after creation");
  }
  now["volumeMode"].At("volumeMode").Unchanged(before["volumeMode"]);
  if (before["nodeAffinity"].IsSet())
    now["nodeAffinity"].At("nodeAffinity").Unchanged(before["nodeAffinity"]);
}

void PrepareVolume(json& object, Time now) {
  AddFinalizer(object, "kubernetes.io/pv-protection");
  object["status"] = {{"phase", "Pending"}, {"lastPhaseTransitionTime", now.ToString()}};
}

// The old and the new name of what a volume is filled from say the same.
void PrepareClaim(json& object, Time /*now*/) {
  AddFinalizer(object, "kubernetes.io/pvc-protection");
  object["status"] = {{"phase", "Pending"}};
  json& spec = object["spec"];
  const std::string group = TextAt(spec, "dataSource/apiGroup");
  const std::string kind = TextAt(spec, "dataSource/kind");
  const bool known = (group.empty() && kind == "PersistentVolumeClaim") ||
                     (group == "snapshot.storage.k8s.io" && kind == "VolumeSnapshot");
  if (spec.contains("dataSource") && !known) spec.erase("dataSource");
  if (spec.contains("dataSource") && !spec.contains("dataSourceRef"))
    spec["dataSourceRef"] = spec["dataSource"];
  else if (spec.contains("dataSourceRef") && !spec.contains("dataSource") &&
           TextAt(spec, "dataSourceRef/namespace").empty())
    spec["dataSource"] = spec["dataSourceRef"];
}

void ValidateClaim(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  CheckLabelSelector(spec["selector"]);
  CheckAccessModes(spec["accessModes"], "at least 1 access mode is required");
  const Field size = spec["resources"]["requests"]["storage"].At("spec.resources[storage]");
  if (size.Require()) CheckSize(size);
  CheckClassAndMode(spec);
}

void ValidateClaimUpdate(const json& object, const json& old, Problems& problems) {
  const Field claim(object, problems);
  const Field before(old, problems);
  const bool bound = claim["status"]["phase"].Text() == "Bound";
  json now_spec = claim["spec"].value();
  json old_spec = before["spec"].value();
  for (json* spec : {&now_spec, &old_spec}) {
    if (before["spec"]["volumeName"].IsEmpty()) spec->erase("volumeName");
    if (!before["spec"]["storageClassName"].IsSet()) spec->erase("storageClassName");
    if (!bound) continue;
    spec->erase("volumeAttributesClassName");
    if (spec->contains("resources")) (*spec)["resources"].erase("requests");
  }
  if (now_spec != old_spec) {
    claim["spec"].Forbidden(
        "spec is immutable after creation except resources.requests and "
        "volumeAttributesClassName for bound claims");
  }
  const Field asked = claim["spec"]["resources"]["requests"]["storage"];
  const auto size = Quantity::Parse(asked.Text());
  const auto asked_before =
      Quantity::Parse(before["spec"]["resources"]["requests"]["storage"].Text());
  const auto given = Quantity::Parse(before["status"]["capacity"]["storage"].Text());
  if (size && asked_before && *size < *asked_before && given && *size < *given)
    asked.Forbidden("field can not be less than status.capacity");
  claim["spec"]["volumeMode"].At("volumeMode").Unchanged(before["spec"]["volumeMode"]);
}

}  // namespace

const Strategy* VolumeStrategy(const KindInfo& kind) {
  static const Strategy kVolume = {.prepare_create = PrepareVolume,
                                   .validate = ValidateVolume,
                                   .validate_update = ValidateVolumeUpdate};
  static const Strategy kClaim = {.prepare_create = PrepareClaim,
                                  .validate = ValidateClaim,
                                  .validate_update = ValidateClaimUpdate};
  if (!kind.group.empty()) return nullptr;
  if (kind.kind == "PersistentVolume") return &kVolume;
  return kind.kind == "PersistentVolumeClaim" ? &kClaim : nullptr;
}

}  // namespace berth::apiserver
