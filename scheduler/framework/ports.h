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

// PodRef names one incarnation of a pod: a pod made again under the same name has another uid, and
// no old decision may touch it.
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
  // Reference names it as events do.
  api::ObjectReference Reference() const {
    return {.api_version = "v1",
            .kind = "Pod",
            .namespace_ = namespace_,
            .name = name,
            .uid = uid,
            .resource_version = resource_version};
  }
};

// PodStatusPatch is what the scheduler writes into a pod's status; absent parts stay as they are.
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

// ApiPort is how the core writes to the API server. No call blocks: the implementation sends on its
// own threads and posts `done` back to the scheduling thread, once, in any order. Implemented by
// engine/ over HTTP, by tests and simulations in memory.
class ApiPort {
 public:
  using Done = std::function<void(Result<void>)>;
  virtual ~ApiPort() = default;

  // Bind creates the Binding with the pod's uid. An unknown outcome is looked up before `done`: a
  // pod that is bound to that node, by this call or another, is success.
  virtual void Bind(const PodRef& pod, const std::string& node, Done done) = 0;
  // PatchPodStatus sends a strategic merge patch to pods/status; conflicts and lost servers are
  // retried inside. kCanceled: it was given up unsent, because the pod is being bound, or because
  // too many wait; the pod's next attempt asks for it again.
  virtual void PatchPodStatus(const PodRef& pod, PodStatusPatch patch, Done done) = 0;

  // What becomes of a victim. Each names the uid; kNotFound: that pod is gone, be there another of
  // its name. Lost servers are asked again inside.
  //
  // MarkVictim writes into the pod's conditions why it is about to go.
  virtual void MarkVictim(const PodRef& victim, api::PodCondition condition, Done done) = 0;
  // DeletePod deletes the pod, with the time to end that it asks for.
  virtual void DeletePod(const PodRef& victim, Done done) = 0;
  // EvictPod deletes it if the PodDisruptionBudgets allow that now; kTooManyRequests is their no.
  virtual void EvictPod(const PodRef& victim, Done done) = 0;

  // What a volume or a claim is to become, as a patch of what the scheduler decides and nothing else.
  // Each names uid and resourceVersion: kConflict, where the object has changed since. An unknown
  // outcome is looked up before `done`: an object that says what it was to say is success.
  //
  // BindVolume writes the volume's spec.claimRef, and its annotation that a controller chose it, if
  // `assumed` has that.
  virtual void BindVolume(const api::PersistentVolume& assumed, Done done) = 0;
  // SelectNode writes the claim's annotation of the node that was chosen for it.
  virtual void SelectNode(const api::PersistentVolumeClaim& assumed, Done done) = 0;

  // RecordEvent never fails; a lost event is counted by the implementation.
  virtual void RecordEvent(const api::ObjectReference& about, ObjectEvent event) = 0;
};

}  // namespace berth::scheduler
