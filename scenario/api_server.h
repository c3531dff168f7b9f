// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "scenario/manifests.h"
#include "scenario/objects.h"
#include "scenario/scenario.h"
#include "scheduler/framework/ports.h"

namespace berth::scheduler {
class Scheduler;
}

namespace berth::scenario {

// ApiServer is the API server of a scenario, in memory. It keeps nodes and pods, does what the core
// asks for with the checks a real one makes, and tells the core what changed as the watches would:
// pods that have ended (phase Succeeded or Failed) are not seen.
//
// Answers do not come at once: calls wait until Deliver, in the order they were made. Owned by one
// thread.
class ApiServer final : public scheduler::ApiPort {
 public:
  // Log takes a line of the transcript.
  using Log = std::function<void(std::string line)>;

  ApiServer(const Clock& clock, int64_t seed, Log log)
      : clock_(clock), identities_(seed), log_(std::move(log)) {}

  // Connect says which core is told of changes from now on. Requires: before the first object.
  void Connect(scheduler::Scheduler& core) { core_ = &core; }

  // What users, controllers and kubelets do. Errors (kConfig): the object is there already, or is
  // not there; what a patch comes to is no object.
  Result<void> CreateNode(const Template& written);
  Result<void> CreatePod(const Template& written);
  Result<void> UpdateNode(const Template& patch);
  Result<void> UpdatePod(const Template& patch);
  Result<void> DeleteNode(const std::string& name);
  Result<void> DeletePod(const std::string& key);
  Result<void> Create(const Manifest& written);
  Result<void> Replace(const Manifest& written);
  Result<void> DeleteObject(const std::string& key);

  // SetFault changes what becomes of bindings.
  void SetFault(const BindFault& fault);

  // Deliver answers what was asked, until nothing waits but bindings that are kept back.
  void Deliver();

  std::shared_ptr<const api::Pod> FindPod(const std::string& key) const;  // null: there is none
  std::vector<std::shared_ptr<const api::Node>> Nodes() const;            // by name
  std::vector<std::shared_ptr<const api::Pod>> Pods() const;              // by key; none that ended

  // TakeEvents gives the events recorded since the last call: "Normal Scheduled web-0: note".
  std::vector<std::string> TakeEvents();

  // ApiPort, for the core:
  void Bind(const scheduler::PodRef& pod, const std::string& node, Done done) override;
  void PatchPodStatus(const scheduler::PodRef& pod, scheduler::PodStatusPatch patch,
                      Done done) override;
  // The kubelet of a scenario lets a pod go at once, and no controller keeps its budgets.
  void MarkVictim(const scheduler::PodRef& victim, api::PodCondition condition, Done done) override;
  void DeletePod(const scheduler::PodRef& victim, Done done) override;
  void EvictPod(const scheduler::PodRef& victim, Done done) override;
  // Its volume controllers bind, and provision, at once; see scenario/volumes.h.
  void BindVolume(const api::PersistentVolume& assumed, Done done) override;
  void SelectNode(const api::PersistentVolumeClaim& assumed, Done done) override;
  void RecordEvent(const api::ObjectReference& about, scheduler::ObjectEvent event) override;

 private:
  template <class T>
  struct Record {
    Template written;
    std::shared_ptr<const T> object;
  };
  struct PodRecord : Record<api::Pod> {};
  struct NodeRecord : Record<api::Node> {};

  Result<void> AnswerBind(const scheduler::PodRef& ref, const std::string& node);
  Result<void> AnswerPatch(const scheduler::PodRef& ref, const scheduler::PodStatusPatch& patch);
  Result<void> AnswerDelete(const scheduler::PodRef& ref);
  Result<PodRecord*> Incarnation(const scheduler::PodRef& ref);
  std::optional<Reason> TakeFault(const std::string& key);
  // Replace stores a new object of a pod and tells the core.
  void Replace(PodRecord& record, api::Pod pod);

  const Clock& clock_;
  Identities identities_;
  Log log_;
  scheduler::Scheduler* core_ = nullptr;
  std::map<std::string, NodeRecord> nodes_;
  std::map<std::string, PodRecord> pods_;
  Manifests manifests_{identities_};
  std::vector<BindFault> faults_;
  bool keeps_answers_ = false;
  std::deque<std::function<void()>> calls_;
  std::deque<std::function<void()>> kept_;  // bindings
  std::vector<std::string> events_;
};

}  // namespace berth::scenario
