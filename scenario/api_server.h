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

// ApiServer is the in-memory API server of a scenario. It stores nodes and pods, executes the
// core's calls with the checks of a real API server, and delivers changes to the core like a watch.
// Pods that have ended (phase Succeeded or Failed) are not delivered.
//
// Responses are delayed: calls wait until Deliver, in call order. Owned by one thread.
class ApiServer final : public scheduler::ApiPort {
 public:
  // Log receives a line of the transcript.
  using Log = std::function<void(std::string line)>;

  ApiServer(const Clock& clock, int64_t seed, Log log)
      : clock_(clock), identities_(seed), log_(std::move(log)) {}

  // Sets the core that receives changes. Requires: no object exists yet.
  void Connect(scheduler::Scheduler& core) { core_ = &core; }

  // Actions of users, controllers and kubelets. Errors (kConfig): the object exists already, or
  // does not exist, or the patched object is invalid.
  Result<void> CreateNode(const Template& written);
  Result<void> CreatePod(const Template& written);
  Result<void> UpdateNode(const Template& patch);
  Result<void> UpdatePod(const Template& patch);
  Result<void> DeleteNode(const std::string& name);
  Result<void> DeletePod(const std::string& key);
  Result<void> Create(const Manifest& written);
  Result<void> Replace(const Manifest& written);
  Result<void> DeleteObject(const std::string& key);

  // Changes the outcome of bindings.
  void SetFault(const BindFault& fault);

  // Executes the queued calls until the queue is empty, except for delayed bindings.
  void Deliver();

  std::shared_ptr<const api::Pod> FindPod(const std::string& key) const;  // null: not found
  std::vector<std::shared_ptr<const api::Node>> Nodes() const;            // by name
  std::vector<std::shared_ptr<const api::Pod>> Pods() const;  // by key; without ended pods

  // Returns the conditions that the core has set on a PodGroup of scheduling.k8s.io; null: not
  // found. Requires: a key of ManifestKey.
  const std::vector<api::Condition>* ConditionsOf(const std::string& key) const {
    return manifests_.ConditionsOf(key);
  }

  // Returns the events recorded since the last call: "Normal Scheduled web-0: note".
  std::vector<std::string> TakeEvents();

  // ApiPort, for the core:
  void Bind(const scheduler::PodRef& pod, const std::string& node, Done done) override;
  void PatchPodStatus(const scheduler::PodRef& pod, scheduler::PodStatusPatch patch,
                      Done done) override;
  // The kubelet of a scenario removes a deleted pod at once, and no controller updates budgets.
  void MarkVictim(const scheduler::PodRef& victim, api::PodCondition condition, Done done) override;
  void DeletePod(const scheduler::PodRef& victim, Done done) override;
  void EvictPod(const scheduler::PodRef& victim, Done done) override;
  void ReadPod(const scheduler::PodRef& pod, PodDone done) override;
  // The volume controllers of a scenario bind and provision at once; see scenario/volumes.h.
  void BindVolume(const api::PersistentVolume& assumed, Done done) override;
  void SelectNode(const api::PersistentVolumeClaim& assumed, Done done) override;
  void PatchGroupCondition(const api::ObjectReference& group, api::Condition condition,
                           Done done) override;
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
  // Stores a new version of a pod and delivers it to the core.
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
  std::deque<std::function<void()>> kept_;  // delayed bindings
  std::vector<std::string> events_;
};

}  // namespace berth::scenario
