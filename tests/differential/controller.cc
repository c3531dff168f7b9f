// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/controller.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tests/differential/volumes.h"
#include "tests/differential/written.h"
#include "tests/integration/harness/objects.h"

namespace berth::differential {
namespace {

using integration::At;
using integration::TextAt;

constexpr const char* kSelectedNode = "volume.kubernetes.io/selected-node";
constexpr const char* kBindCompleted = "pv.kubernetes.io/bind-completed";
constexpr const char* kBoundByController = "pv.kubernetes.io/bound-by-controller";

ObjectName NameOf(const Json& claim) {
  return {"persistentvolumeclaim", TextAt(claim, "/metadata/namespace"),
          TextAt(claim, "/metadata/name")};
}

std::string AnnotationOf(const Json& object, const char* key) {
  return At(object, "/metadata").value("annotations", Json::object()).value(key, "");
}

Json ReferenceTo(const Json& claim) {
  return {{"apiVersion", "v1"},
          {"kind", "PersistentVolumeClaim"},
          {"namespace", TextAt(claim, "/metadata/namespace")},
          {"name", TextAt(claim, "/metadata/name")},
          {"uid", TextAt(claim, "/metadata/uid")}};
}

bool IsFor(const Json& volume, const Json& claim) {
  return TextAt(claim, "/spec/volumeName") == TextAt(volume, "/metadata/name") ||
         (TextAt(volume, "/spec/claimRef/name") == TextAt(claim, "/metadata/name") &&
          TextAt(volume, "/spec/claimRef/namespace") == TextAt(claim, "/metadata/namespace"));
}

Operation Patch(ObjectName name, Json body, const char* subresource = "") {
  return {Operation::Verb::kPatch, std::move(name), std::move(body), subresource};
}

// Adds the operations in the controller's order: the volume, then the claim.
void AddBinding(const Json& claim, const Json& volume, std::vector<Operation>& operations) {
  const ObjectName of_volume = VolumeNamed(TextAt(volume, "/metadata/name"));
  const ObjectName of_claim = NameOf(claim);
  const Json bound = {{"status", {{"phase", "Bound"}}}};
  Json annotations = {{kBindCompleted, "yes"}};
  if (TextAt(claim, "/spec/volumeName").empty()) annotations[kBoundByController] = "yes";
  operations.push_back(Patch(of_volume, {{"spec", {{"claimRef", ReferenceTo(claim)}}}}));
  operations.push_back(Patch(of_volume, bound, "status"));
  operations.push_back(Patch(of_claim, {{"metadata", {{"annotations", annotations}}},
                                        {"spec", {{"volumeName", of_volume.name}}}}));
  operations.push_back(Patch(of_claim, bound, "status"));
}

Operation CreateVolumeFor(const Json& claim, const Json& storage_class, const std::string& node) {
  const std::string name = "pvc-" + TextAt(claim, "/metadata/name");
  Json spec = {
      {"storageClassName", TextAt(storage_class, "/metadata/name")},
      {"accessModes", At(claim, "/spec/accessModes")},
      {"capacity", At(claim, "/spec/resources/requests")},
      {"claimRef", ReferenceTo(claim)},
      {"csi", {{"driver", TextAt(storage_class, "/provisioner")}, {"volumeHandle", name}}}};
  if (!node.empty()) spec["nodeAffinity"] = ReachOf(node);
  return {Operation::Verb::kCreate,
          VolumeNamed(name),
          {{"apiVersion", "v1"},
           {"kind", "PersistentVolume"},
           {"metadata", {{"name", name}}},
           {"spec", std::move(spec)}}};
}

}  // namespace

std::vector<Operation> ClaimEphemeral(const Json& pods, const Json& claims) {
  std::vector<Operation> operations;
  for (const Json& pod : pods) {
    const Json volumes = At(pod, "/spec/volumes");
    for (const Json& volume : volumes) {
      if (!volume.contains("ephemeral")) continue;
      const std::string ns = TextAt(pod, "/metadata/namespace");
      const std::string pod_name = TextAt(pod, "/metadata/name");
      const ObjectName name{"persistentvolumeclaim", ns, pod_name + "-" + TextAt(volume, "/name")};
      if (std::ranges::find(claims, name, NameOf) != claims.end()) continue;
      const Json owner = {{"apiVersion", "v1"}, {"kind", "Pod"},
                          {"name", pod_name},   {"uid", TextAt(pod, "/metadata/uid")},
                          {"controller", true}, {"blockOwnerDeletion", true}};
      operations.push_back(
          {Operation::Verb::kCreate,
           name,
           {{"apiVersion", "v1"},
            {"kind", "PersistentVolumeClaim"},
            {"metadata",
             {{"name", name.name}, {"namespace", ns}, {"ownerReferences", Json::array({owner})}}},
            {"spec", At(volume, "/ephemeral/volumeClaimTemplate/spec")}}});
    }
  }
  return operations;
}

std::vector<Operation> Provision(const Json& claims, const Json& classes) {
  std::vector<Operation> operations;
  for (const Json& claim : claims) {
    if (!TextAt(claim, "/spec/volumeName").empty()) continue;
    const std::string wanted = TextAt(claim, "/spec/storageClassName");
    const auto found = std::ranges::find(
        classes, wanted, [](const Json& one) { return TextAt(one, "/metadata/name"); });
    if (found == classes.end()) continue;
    const std::string node = AnnotationOf(claim, kSelectedNode);
    if (TextAt(*found, "/provisioner") == "kubernetes.io/no-provisioner") continue;
    if (TextAt(*found, "/volumeBindingMode") != "Immediate" && node.empty()) continue;
    operations.push_back(CreateVolumeFor(claim, *found, node));
  }
  return operations;
}

std::vector<Operation> Bind(const Json& claims, const Json& volumes) {
  std::vector<Operation> operations;
  for (const Json& claim : claims) {
    if (!AnnotationOf(claim, kBindCompleted).empty()) continue;
    const auto volume =
        std::ranges::find_if(volumes, [&](const Json& one) { return IsFor(one, claim); });
    if (volume != volumes.end()) AddBinding(claim, *volume, operations);
  }
  return operations;
}

}  // namespace berth::differential
