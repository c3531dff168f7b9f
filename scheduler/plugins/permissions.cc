// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/permissions.h"

#include "scheduler/model/object_types.h"

namespace berth::scheduler {
namespace {

// Kinds that are usually read together share a capability, so that a profile needs few role
// bindings.
std::string_view CapabilityToRead(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kNamespace:
      return "namespaces";
    case ObjectKind::kService:
    case ObjectKind::kReplicationController:
    case ObjectKind::kReplicaSet:
    case ObjectKind::kStatefulSet:
      return "workloads";
    case ObjectKind::kPodDisruptionBudget:
      return "preemption";
    case ObjectKind::kPodGroup:
      return "gang";
    // Not "gang", which may evict pods: a plugin that is enabled by default reads the kind.
    case ObjectKind::kNativePodGroup:
      return "podgroups";
    case ObjectKind::kPersistentVolume:
    case ObjectKind::kPersistentVolumeClaim:
    case ObjectKind::kStorageClass:
    case ObjectKind::kCsiNode:
    case ObjectKind::kCsiDriver:
    case ObjectKind::kCsiStorageCapacity:
    case ObjectKind::kVolumeAttachment:
      return "volumes";
    case ObjectKind::kCount:
      break;
  }
  return "";
}

}  // namespace

std::vector<api::PluginPermission> ReadPermissions(ObjectKindSet kinds) {
  std::vector<api::PluginPermission> permissions;
  kinds.ForEach([&permissions](ObjectKind kind) {
    const api::ResourceInfo& resource = ResourceOf(kind);
    permissions.push_back({CapabilityToRead(kind), resource.group, resource.plural, "list,watch"});
  });
  return permissions;
}

}  // namespace berth::scheduler
