// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "api/node.h"
#include "scheduler/model/object_types.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// Resource is the type of object whose changes may make a pending pod schedulable. Events of pods
// carry kAssignedPod, a pod on a node, or kTargetPod, the pending pod itself, which only its own
// hints get; a registration for kPod matches both. Source: k8s.io/kube-scheduler
// framework/types.go, EventResource and ActionType; kPodDisruptionBudget is Berth's own.
enum class Resource : uint8_t {
  kWildcard,
  kPod,
  kNode,
  kPersistentVolume,
  kPersistentVolumeClaim,
  kCsiNode,
  kCsiDriver,
  kVolumeAttachment,
  kCsiStorageCapacity,
  kStorageClass,
  kResourceClaim,
  kResourceSlice,
  kDeviceClass,
  kPodGroup,
  kPodDisruptionBudget,
  kNamespace,
  kAssignedPod,
  kTargetPod,
};

// ActionMask is a set of bits. Their numeric order matters: an incoming action that is greater than
// the registered mask does not match it (upstream's rule).
using ActionMask = uint32_t;
namespace action {
inline constexpr ActionMask kAdd = 1;
inline constexpr ActionMask kDelete = 2;
inline constexpr ActionMask kUpdateNodeAllocatable = 4;
inline constexpr ActionMask kUpdateNodeLabel = 8;
inline constexpr ActionMask kUpdateNodeTaint = 16;
inline constexpr ActionMask kUpdateNodeCondition = 32;
inline constexpr ActionMask kUpdateNodeAnnotation = 64;
inline constexpr ActionMask kUpdateNodeDeclaredFeature = 128;
inline constexpr ActionMask kUpdatePodLabel = 256;
inline constexpr ActionMask kUpdatePodScaleDown = 512;
inline constexpr ActionMask kUpdatePodScaleUp = 1024;
inline constexpr ActionMask kUpdatePodToleration = 2048;
inline constexpr ActionMask kUpdatePodSchedulingGatesEliminated = 4096;
inline constexpr ActionMask kUpdatePodGeneratedResourceClaim = 8192;
inline constexpr ActionMask kUpdate = 16380;
inline constexpr ActionMask kAll = 16383;
}  // namespace action

struct ClusterEvent {
  Resource resource = Resource::kWildcard;
  ActionMask action = action::kAll;
  // Only for events that the queue itself creates: "BackoffComplete", "ForceActivate", …
  std::string_view label;

  bool IsWildcard() const { return resource == Resource::kWildcard && action == action::kAll; }
  // Reports whether a registration for this event matches `incoming`.
  bool Matches(const ClusterEvent& incoming) const;
  // Returns the name for metrics and logs: "AssignedPodDelete", "NodeUpdateNodeLabel".
  std::string Label() const;
  bool operator==(const ClusterEvent&) const = default;
};

// The Resource of events about objects of type T.
template <VolumeObject T>
inline constexpr Resource kResourceOfType = Resource::kWildcard;
template <>
inline constexpr Resource kResourceOfType<api::PersistentVolume> = Resource::kPersistentVolume;
template <>
inline constexpr Resource kResourceOfType<api::PersistentVolumeClaim> =
    Resource::kPersistentVolumeClaim;
template <>
inline constexpr Resource kResourceOfType<api::StorageClass> = Resource::kStorageClass;
template <>
inline constexpr Resource kResourceOfType<api::CsiNode> = Resource::kCsiNode;
template <>
inline constexpr Resource kResourceOfType<api::CsiDriver> = Resource::kCsiDriver;
template <>
inline constexpr Resource kResourceOfType<api::CsiStorageCapacity> = Resource::kCsiStorageCapacity;
template <>
inline constexpr Resource kResourceOfType<api::VolumeAttachment> = Resource::kVolumeAttachment;

// VolumeObjects holds a changed storage object before and after the change.
class VolumeObjects {
 public:
  VolumeObjects() = default;
  template <VolumeObject T>
  VolumeObjects(std::shared_ptr<const T> before, std::shared_ptr<const T> after)
      : objects_(Pair<T>(std::move(before), std::move(after))) {}

  // Return null if there is no such object or if it is of another type.
  template <VolumeObject T>
  const T* Before() const {
    const auto* pair = std::get_if<Pair<T>>(&objects_);
    return pair != nullptr ? pair->first.get() : nullptr;
  }
  template <VolumeObject T>
  const T* After() const {
    const auto* pair = std::get_if<Pair<T>>(&objects_);
    return pair != nullptr ? pair->second.get() : nullptr;
  }

 private:
  template <class T>
  using Pair = std::pair<std::shared_ptr<const T>, std::shared_ptr<const T>>;

  std::variant<std::monostate, Pair<api::PersistentVolume>, Pair<api::PersistentVolumeClaim>,
               Pair<api::StorageClass>, Pair<api::CsiNode>, Pair<api::CsiDriver>,
               Pair<api::CsiStorageCapacity>, Pair<api::VolumeAttachment>>
      objects_;
};

// EventObjects holds the changed object. Add has no old object, Delete has no new one.
// PodInfo::pending returns the API object of a pending pod.
struct EventObjects {
  std::shared_ptr<const PodInfo> old_pod, new_pod;
  std::shared_ptr<const api::Node> old_node, new_node;
  std::shared_ptr<const api::Namespace> new_namespace;
  VolumeObjects volumes;
};

// Return the events for an update, most specific first. A pod update without a known change gives
// one generic kUpdate event; such a node update gives none.
// Source: kube-scheduler pkg/scheduler/framework/events.go, PodSchedulingPropertiesChange and
// NodeSchedulingPropertiesChange.
std::vector<ClusterEvent> PodUpdateEvents(const PodInfo& old_pod, const PodInfo& new_pod);
std::vector<ClusterEvent> NodeUpdateEvents(const api::Node& old_node, const api::Node& new_node);

enum class QueueingHint : uint8_t { kSkip, kQueue };

}  // namespace berth::scheduler
