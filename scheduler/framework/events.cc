// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/events.h"

#include <algorithm>
#include <map>
#include <utility>

#include "scheduler/model/resource.h"

namespace berth::scheduler {
namespace {

std::string_view NameOf(Resource resource) {
  switch (resource) {
    case Resource::kWildcard:
      return "*";
    case Resource::kPod:
      return "Pod";
    case Resource::kNode:
      return "Node";
    case Resource::kPersistentVolume:
      return "PersistentVolume";
    case Resource::kPersistentVolumeClaim:
      return "PersistentVolumeClaim";
    case Resource::kCsiNode:
      return "storage.k8s.io/CSINode";
    case Resource::kCsiDriver:
      return "storage.k8s.io/CSIDriver";
    case Resource::kVolumeAttachment:
      return "storage.k8s.io/VolumeAttachment";
    case Resource::kCsiStorageCapacity:
      return "storage.k8s.io/CSIStorageCapacity";
    case Resource::kStorageClass:
      return "storage.k8s.io/StorageClass";
    case Resource::kResourceClaim:
      return "resource.k8s.io/ResourceClaim";
    case Resource::kResourceSlice:
      return "resource.k8s.io/ResourceSlice";
    case Resource::kDeviceClass:
      return "resource.k8s.io/DeviceClass";
    case Resource::kPodGroup:
      return "scheduling.k8s.io/PodGroup";
    case Resource::kPodDisruptionBudget:
      return "policy/PodDisruptionBudget";
    case Resource::kNamespace:
      return "Namespace";
    case Resource::kAssignedPod:
      return "AssignedPod";
    case Resource::kTargetPod:
      return "TargetPod";
  }
  return "";
}

struct NamedAction {
  ActionMask mask;
  std::string_view name;
};

// Whole groups come first, so that Update is not spelled out.
constexpr NamedAction kActions[] = {
    {action::kAll, "All"},
    {action::kUpdate, "Update"},
    {action::kAdd, "Add"},
    {action::kDelete, "Delete"},
    {action::kUpdateNodeAllocatable, "UpdateNodeAllocatable"},
    {action::kUpdateNodeLabel, "UpdateNodeLabel"},
    {action::kUpdateNodeTaint, "UpdateNodeTaint"},
    {action::kUpdateNodeCondition, "UpdateNodeCondition"},
    {action::kUpdateNodeAnnotation, "UpdateNodeAnnotation"},
    {action::kUpdateNodeDeclaredFeature, "UpdateNodeDeclaredFeature"},
    {action::kUpdatePodLabel, "UpdatePodLabel"},
    {action::kUpdatePodScaleDown, "UpdatePodScaleDown"},
    {action::kUpdatePodScaleUp, "UpdatePodScaleUp"},
    {action::kUpdatePodToleration, "UpdatePodToleration"},
    {action::kUpdatePodSchedulingGatesEliminated, "UpdatePodSchedulingGatesEliminated"},
    {action::kUpdatePodGeneratedResourceClaim, "UpdatePodGeneratedResourceClaim"},
};

bool ResourceFits(Resource registered, Resource incoming) {
  if (registered == Resource::kWildcard || registered == incoming) return true;
  return registered == Resource::kPod &&
         (incoming == Resource::kAssignedPod || incoming == Resource::kTargetPod);
}

// A scalar that `after` lacks counts as shrunk, even from 0.
bool AnyRequestShrank(const Resources& before, const Resources& after) {
  return after.milli_cpu < before.milli_cpu || after.memory < before.memory ||
         after.ephemeral_storage < before.ephemeral_storage ||
         std::any_of(before.scalars.begin(), before.scalars.end(), [&after](const auto& scalar) {
           const auto now =
               std::find_if(after.scalars.begin(), after.scalars.end(),
                            [&scalar](const auto& other) { return other.first == scalar.first; });
           return now == after.scalars.end() || now->second < scalar.second;
         });
}

bool ConditionsDiffer(const api::Node& old_node, const api::Node& new_node) {
  const auto statuses = [](const api::Node& node) {
    std::map<std::string_view, std::string_view> by_type;
    for (const api::NodeCondition& condition : node.status.conditions) {
      by_type[condition.type] = condition.status;
    }
    return by_type;
  };
  return statuses(old_node) != statuses(new_node);
}

}  // namespace

bool ClusterEvent::Matches(const ClusterEvent& incoming) const {
  if (IsWildcard()) return true;
  return ResourceFits(resource, incoming.resource) && (action & incoming.action) != 0 &&
         incoming.action <= action;
}

std::string ClusterEvent::Label() const {
  if (!label.empty()) return std::string(label);
  std::string text(NameOf(resource));
  ActionMask rest = action;
  for (const NamedAction& named : kActions) {
    if ((rest & named.mask) != named.mask) continue;
    if (rest != action) text += '|';
    text += named.name;
    rest &= ~named.mask;
  }
  return text;
}

std::vector<ClusterEvent> PodUpdateEvents(const PodInfo& old_pod, const PodInfo& new_pod) {
  const Resource resource =
      new_pod.node_name().empty() ? Resource::kTargetPod : Resource::kAssignedPod;
  std::vector<ClusterEvent> events;
  const auto add_if = [&](bool changed, ActionMask mask) {
    if (changed) events.push_back({resource, mask, {}});
  };
  add_if(!(old_pod.labels() == new_pod.labels()), action::kUpdatePodLabel);
  add_if(AnyRequestShrank(old_pod.accounted(), new_pod.accounted()), action::kUpdatePodScaleDown);
  add_if(AnyRequestShrank(new_pod.accounted(), old_pod.accounted()), action::kUpdatePodScaleUp);
  add_if(old_pod.has_scheduling_gates() && !new_pod.has_scheduling_gates(),
         action::kUpdatePodSchedulingGatesEliminated);
  add_if(old_pod.toleration_count() != new_pod.toleration_count(), action::kUpdatePodToleration);
  const PodExtras& before = old_pod.extras();
  const PodExtras& after = new_pod.extras();
  add_if(before.resource_claim_statuses != after.resource_claim_statuses ||
             !(before.extended_resource_claim == after.extended_resource_claim),
         action::kUpdatePodGeneratedResourceClaim);
  add_if(events.empty(), action::kUpdate);
  return events;
}

std::vector<ClusterEvent> NodeUpdateEvents(const api::Node& old_node, const api::Node& new_node) {
  std::vector<ClusterEvent> events;
  const auto add_if = [&](bool changed, ActionMask mask) {
    if (changed) events.push_back({Resource::kNode, mask, {}});
  };
  add_if(old_node.spec.unschedulable && !new_node.spec.unschedulable, action::kUpdateNodeTaint);
  add_if(old_node.status.allocatable != new_node.status.allocatable,
         action::kUpdateNodeAllocatable);
  add_if(old_node.metadata.labels != new_node.metadata.labels, action::kUpdateNodeLabel);
  add_if(old_node.spec.taints != new_node.spec.taints, action::kUpdateNodeTaint);
  add_if(ConditionsDiffer(old_node, new_node), action::kUpdateNodeCondition);
  add_if(old_node.metadata.annotations != new_node.metadata.annotations,
         action::kUpdateNodeAnnotation);
  add_if(old_node.status.declared_features != new_node.status.declared_features,
         action::kUpdateNodeDeclaredFeature);
  return events;
}

}  // namespace berth::scheduler
