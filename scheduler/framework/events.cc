// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/events.h"

#include <algorithm>
#include <map>
#include <utility>

#include "scheduler/framework/resource.h"

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
    case Resource::kAssignedPod:
      return "AssignedPod";
    case Resource::kUnschedulablePod:
      return "UnschedulablePod";
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
    {action::kUpdatePodToleration, "UpdatePodToleration"},
    {action::kUpdatePodSchedulingGatesEliminated, "UpdatePodSchedulingGatesEliminated"},
    {action::kUpdatePodGeneratedResourceClaim, "UpdatePodGeneratedResourceClaim"},
};

bool ResourceFits(Resource registered, Resource incoming) {
  if (registered == Resource::kWildcard || registered == incoming) return true;
  return registered == Resource::kPod &&
         (incoming == Resource::kAssignedPod || incoming == Resource::kUnschedulablePod);
}

bool AnyRequestShrank(const api::Pod& old_pod, const api::Pod& new_pod) {
  const RequestOptions options{.use_status = true};
  const api::ResourceList before = PodRequests(old_pod, options);
  const api::ResourceList after = PodRequests(new_pod, options);
  return std::any_of(before.begin(), before.end(), [&](const auto& request) {
    const auto now = after.find(request.first);
    return now == after.end() || now->second < request.second;
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

std::vector<ClusterEvent> PodUpdateEvents(const api::Pod& old_pod, const api::Pod& new_pod) {
  const Resource resource =
      new_pod.spec.node_name.empty() ? Resource::kUnschedulablePod : Resource::kAssignedPod;
  std::vector<ClusterEvent> events;
  const auto add = [&](ActionMask mask) { events.push_back({resource, mask, {}}); };

  if (old_pod.metadata.labels != new_pod.metadata.labels) add(action::kUpdatePodLabel);
  if (AnyRequestShrank(old_pod, new_pod)) add(action::kUpdatePodScaleDown);
  if (!old_pod.spec.scheduling_gates.empty() && new_pod.spec.scheduling_gates.empty()) {
    add(action::kUpdatePodSchedulingGatesEliminated);
  }
  if (old_pod.spec.tolerations.size() != new_pod.spec.tolerations.size()) {
    add(action::kUpdatePodToleration);
  }
  if (old_pod.status.resource_claim_statuses != new_pod.status.resource_claim_statuses ||
      !(old_pod.status.extended_resource_claim_status ==
        new_pod.status.extended_resource_claim_status)) {
    add(action::kUpdatePodGeneratedResourceClaim);
  }
  if (events.empty()) add(action::kUpdate);
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
