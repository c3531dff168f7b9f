// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/replica_set_controller.h"

#include <nlohmann/json.hpp>

#include "client/api_request.h"
#include "sandbox/simulation/requests.h"

namespace berth::simulation {
namespace {

constexpr int kReplicaSetWorkers = 4;

std::string KeyOfController(const api::Pod& pod) {
  const api::OwnerReference* owner = api::ControllerOf(pod.metadata);
  if (owner == nullptr || owner->kind != "ReplicaSet") return "";
  return ObjectName{pod.metadata.namespace_, owner->name}.Key();
}

}  // namespace

ReplicaSetController::ReplicaSetController(client::Client& client,
                                           client::Informer<ReplicaSet>& sets,
                                           client::Informer<api::Pod>& pods, const Clock& clock)
    : client_(client),
      sets_(sets),
      pods_(pods),
      clock_(clock),
      loop_("ReplicaSet", clock, kReplicaSetWorkers,
            [this](const std::string& key) { return Reconcile(key); }) {
  sets_.Listen([this](const api::Change<ReplicaSet>& change) {
    loop_.Add(KeyOf(change.newest().metadata));
  });
  pods_.Listen([this](const api::Change<api::Pod>& change) {
    if (const std::string key = KeyOfController(change.newest()); !key.empty()) loop_.Add(key);
  });
}

Result<RequeueAfter> ReplicaSetController::Reconcile(const std::string& key) {
  const ObjectName name = ObjectName::FromKey(key);
  const auto set = sets_.store().Get(name.ns, name.name);
  if (!set) return RequeueAfter();
  if (!pods_.synced()) return RequeueAfter(std::chrono::milliseconds(50));
  ReplicaSetPlan plan = PlanReplicaSet(*set, PodsOf(*set), clock_.Wall());
  if (plan.create > 0 || !plan.remove.empty()) {
    // The watch may lag behind the latest writes, and repeating them would be wrong.
    BERTH_TRY(plan, PlanFromServer(*set));
    BERTH_TRY_VOID(Carry(*set, plan));
  }
  BERTH_TRY_VOID(WriteStatus(*set, plan.status));
  return plan.requeue_after;
}

Result<ReplicaSetPlan> ReplicaSetController::PlanFromServer(const ReplicaSet& set) {
  client::ListOptions options;
  options.label_selector = SelectorText(set.spec.selector);
  BERTH_TRY(const client::ObjectList<api::Pod> pods,
            client_.List<api::Pod>(set.metadata.namespace_, options));
  BERTH_TRY(const ReplicaSet newest,
            client_.Get<ReplicaSet>(set.metadata.namespace_, set.metadata.name));
  if (newest.metadata.uid != set.metadata.uid) {
    return Fail(Reason::kConflict,
                "the ReplicaSet was deleted and created again with the same name");
  }
  return PlanReplicaSet(newest, pods.items, clock_.Wall());
}

Result<void> ReplicaSetController::Carry(const ReplicaSet& set, const ReplicaSetPlan& plan) {
  const std::string pod = plan.create > 0 ? PodOf(set) : "";
  for (int32_t i = 0; i < plan.create; ++i) {
    BERTH_TRY_VOID(Ignored(
        client_.Call(client::CreateRequest(api::Pod::kResource, set.metadata.namespace_, pod))));
  }
  for (const PodPtr& victim : plan.remove) {
    BERTH_TRY_VOID(DeleteExactly(client_, api::Pod::kResource, victim->metadata));
  }
  return {};
}

Result<void> ReplicaSetController::WriteStatus(const ReplicaSet& set,
                                               const ReplicaSetStatus& status) {
  if (status == set.status) return {};
  return PatchStatus(client_, ReplicaSet::kResource, set.metadata, json::Encode(status));
}

std::vector<PodPtr> ReplicaSetController::PodsOf(const ReplicaSet& set) const {
  std::vector<PodPtr> pods;
  for (PodPtr& pod : pods_.store().List()) {
    if (pod->metadata.namespace_ == set.metadata.namespace_ &&
        IsControlledBy(pod->metadata, set.metadata.uid)) {
      pods.push_back(std::move(pod));
    }
  }
  return pods;
}

}  // namespace berth::simulation
