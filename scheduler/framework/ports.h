// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "api/persistent_volume.h"
#include "api/pod.h"
#include "base/error.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// PodRef identifies one incarnation of a pod. A recreated pod with the same name has another UID,
// so an old decision does not apply to it.
struct PodRef {
  std::string namespace_, name, uid, resource_version;
  std::string Key() const { return namespace_ + "/" + name; }
  static PodRef Of(const api::Pod& pod) {
    return {pod.metadata.namespace_, pod.metadata.name, pod.metadata.uid,
            pod.metadata.resource_version};
  }
  static PodRef Of(const PodInfo& pod) {
    return {pod.namespace_(), pod.name(), pod.uid(), pod.resource_version()};
  }
  // Returns the object reference for events.
  api::ObjectReference Reference() const {
    return {.api_version = "v1",
            .kind = "Pod",
            .namespace_ = namespace_,
            .name = name,
            .uid = uid,
            .resource_version = resource_version};
  }
};

// PodStatusPatch is the scheduler's update of a pod's status; absent fields do not change.
struct PodStatusPatch {
  std::optional<api::PodCondition> condition;
  std::optional<std::string> nominated_node_name;  // "" clears it
};

enum class EventType : uint8_t { kNormal, kWarning };

// ObjectEvent is an events.k8s.io/v1 event about a pod or a PodGroup. `reporting_controller` is the
// profile's scheduler name.
struct ObjectEvent {
  EventType type = EventType::kNormal;
  std::string reporting_controller, reason, action, note;
};

// ApiPort writes to the API server. No call blocks: the implementation sends on its own threads and
// posts `done` back to the scheduling thread, once, in any order. Implemented by engine/ over HTTP,
// by tests and simulations in memory.
class ApiPort {
 public:
  using Done = std::function<void(Result<void>)>;
  using PodDone = std::function<void(const Result<std::shared_ptr<const api::Pod>>&)>;
  virtual ~ApiPort() = default;

  // Creates the Binding with the pod's UID. If the outcome of the request is unknown, the pod is
  // read before `done`: success if it is bound to that node, by this call or another.
  virtual void Bind(const PodRef& pod, const std::string& node, Done done) = 0;
  // Sends a strategic merge patch to pods/status; conflicts and lost connections are retried.
  // kCanceled: the patch was dropped unsent, because the pod is being bound or because too many
  // patches are pending; the pod's next attempt sends it again.
  virtual void PatchPodStatus(const PodRef& pod, PodStatusPatch patch, Done done) = 0;

  // Preemption of a victim. Each request contains the UID. kNotFound: that pod is gone, even if
  // another pod has its name. Lost connections are retried.
  //
  // Writes a condition with the reason of the preemption to the pod's status.
  virtual void MarkVictim(const PodRef& victim, api::PodCondition condition, Done done) = 0;
  // Deletes the pod with its own grace period.
  virtual void DeletePod(const PodRef& victim, Done done) = 0;
  // Evicts the pod if the PodDisruptionBudgets allow it now; kTooManyRequests if they do not.
  virtual void EvictPod(const PodRef& victim, Done done) = 0;

  // Reads the pod. kNotFound: that pod is gone, even if another pod has its name.
  virtual void ReadPod(const PodRef& pod, PodDone done) = 0;

  // Binding of volumes: patches of the fields that the scheduler decides, with uid and
  // resourceVersion. kConflict: the object has changed since. If the outcome of the request is
  // unknown, the object is read before `done`: success if it has the desired content.
  //
  // Writes the volume's spec.claimRef, and the annotation bound-by-controller if `assumed` has it.
  virtual void BindVolume(const api::PersistentVolume& assumed, Done done) = 0;
  // Writes the claim's annotation with the selected node.
  virtual void SelectNode(const api::PersistentVolumeClaim& assumed, Done done) = 0;

  // Sends a strategic merge patch with the condition to the status of a PodGroup of
  // scheduling.k8s.io, in the version of the reference. Conflicts and lost connections are retried.
  // kCanceled: the patch was dropped unsent, because too many are pending.
  virtual void PatchGroupCondition(const api::ObjectReference& group, api::Condition condition,
                                   Done done) = 0;

  // Never fails; the implementation counts lost events.
  virtual void RecordEvent(const api::ObjectReference& about, ObjectEvent event) = 0;
};

}  // namespace berth::scheduler
