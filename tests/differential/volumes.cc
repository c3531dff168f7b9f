// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/volumes.h"

#include <utility>

#include "tests/differential/written.h"

namespace berth::differential {
namespace {

Json Or(Json given, Json otherwise) {
  return given.is_null() ? std::move(otherwise) : std::move(given);
}

// Removes and returns the spec fields that volumes and claims share.
Json TakeSpec(Json& written) {
  Json spec = Json::object();
  if (Json name = Take(written, "class"); !name.is_null()) {
    spec["storageClassName"] = std::move(name);
  }
  spec["accessModes"] = Or(Take(written, "accessModes"), Json::array({"ReadWriteOnce"}));
  return spec;
}

Result<Operation> CreateVolume(Json written, const Defaults& defaults) {
  Json status = Or(Take(written, "status"), {{"phase", "Available"}});
  BERTH_TRY(Json metadata, TakeMetadata(written));
  Json spec = TakeSpec(written);
  spec["capacity"]["storage"] = Or(Take(written, "size"), "1Gi");
  const Json node = Take(written, "node");
  if (!node.is_null()) spec["nodeAffinity"] = ReachOf(node);
  const Json directory = {{node.is_null() ? "hostPath" : "local", {{"path", "/volume"}}}};
  spec.update(Or(Take(written, "source"), directory));
  if (const Json claim = Take(written, "claim"); claim.is_string()) {
    const ObjectName named = ClaimNamed(claim, defaults);
    spec["claimRef"] = {{"apiVersion", "v1"},
                        {"kind", "PersistentVolumeClaim"},
                        {"namespace", named.ns},
                        {"name", named.name}};
  }
  spec.update(written);
  const ObjectName name = VolumeNamed(metadata["name"]);
  Json body = {{"apiVersion", "v1"},
               {"kind", "PersistentVolume"},
               {"metadata", std::move(metadata)},
               {"spec", std::move(spec)}};
  return Operation{Operation::Verb::kCreate, name, std::move(body), "", std::move(status)};
}

Result<Operation> CreateClaim(Json written, const Defaults& defaults) {
  Json status = Take(written, "status");
  BERTH_TRY(Json metadata, TakeMetadata(written));
  if (!metadata.contains("namespace")) metadata["namespace"] = defaults.ns;
  Json spec = TakeSpec(written);
  spec["resources"]["requests"]["storage"] = Or(Take(written, "size"), "1Gi");
  if (Json volume = Take(written, "volume"); !volume.is_null()) {
    spec["volumeName"] = std::move(volume);
    metadata["annotations"]["pv.kubernetes.io/bind-completed"] = "yes";
    if (status.is_null()) status = {{"phase", "Bound"}};
  }
  spec.update(written);
  const ObjectName name{"persistentvolumeclaim", metadata["namespace"], metadata["name"]};
  Json body = {{"apiVersion", "v1"},
               {"kind", "PersistentVolumeClaim"},
               {"metadata", std::move(metadata)},
               {"spec", std::move(spec)}};
  return Operation{Operation::Verb::kCreate, name, std::move(body), "", std::move(status)};
}

}  // namespace

Result<std::vector<Operation>> CreateVolumes(const Json& written, const Defaults& defaults) {
  return CreateEach(written, [&](Json one) { return CreateVolume(std::move(one), defaults); });
}

Result<std::vector<Operation>> CreateClaims(const Json& written, const Defaults& defaults) {
  return CreateEach(written, [&](Json one) { return CreateClaim(std::move(one), defaults); });
}

ObjectName VolumeNamed(const std::string& name) { return {"persistentvolume", "", name}; }

ObjectName ClaimNamed(const std::string& name, const Defaults& defaults) {
  ObjectName claim = PodNamed(name, defaults);
  claim.kind = "persistentvolumeclaim";
  return claim;
}

}  // namespace berth::differential
