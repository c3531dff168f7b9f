// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/disruption_controller.h"

#include "api/labels.h"
#include "sandbox/simulation/requests.h"

namespace berth::simulation {
namespace {

constexpr int kBudgetWorkers = 2;

// An invalid selector selects nothing.
api::Selector SelectorOf(const api::PodDisruptionBudget& budget) {
  const auto& selector = budget.spec.selector;
  return api::Selector::Create(selector ? &*selector : nullptr).value_or(api::Selector::Nothing());
}

}  // namespace

template <class Workload>
void DisruptionController::AddIfScaled(const api::Change<Workload>& change) {
  const Workload& now = change.newest();
  if (change.before && change.before->spec.replicas == now.spec.replicas) return;
  AddNamespace(now.metadata.namespace_);
}

DisruptionController::DisruptionController(client::Client& client,
                                           client::Informer<api::PodDisruptionBudget>& budgets,
                                           client::Informer<api::Pod>& pods,
                                           client::Informer<ReplicaSet>& sets,
                                           client::Informer<Deployment>& deployments,
                                           const Clock& clock)
    : client_(client),
      budgets_(budgets),
      pods_(pods),
      sets_(sets),
      deployments_(deployments),
      clock_(clock),
      loop_("PodDisruptionBudget", clock, kBudgetWorkers,
            [this](const std::string& key) { return Reconcile(key); }) {
  budgets_.Listen([this](const api::Change<api::PodDisruptionBudget>& change) {
    loop_.Add(KeyOf(change.newest().metadata));
  });
  pods_.Listen([this](const api::Change<api::Pod>& change) {
    const api::ObjectMeta& pod = change.newest().metadata;
    AddBudgetsOf(pod);
    if (change.before && change.before->metadata.labels != pod.labels) {
      AddBudgetsOf(change.before->metadata);
    }
  });
  sets_.Listen([this](const api::Change<ReplicaSet>& change) { AddIfScaled(change); });
  deployments_.Listen([this](const api::Change<Deployment>& change) { AddIfScaled(change); });
}

void DisruptionController::AddBudgetsOf(const api::ObjectMeta& pod) {
  for (const auto& budget : budgets_.store().List()) {
    if (budget->metadata.namespace_ == pod.namespace_ && SelectorOf(*budget).Matches(pod.labels))
      loop_.Add(KeyOf(budget->metadata));
  }
}

void DisruptionController::AddNamespace(const std::string& ns) {
  for (const auto& budget : budgets_.store().List()) {
    if (budget->metadata.namespace_ == ns) loop_.Add(KeyOf(budget->metadata));
  }
}

Result<RequeueAfter> DisruptionController::Reconcile(const std::string& key) {
  const ObjectName name = ObjectName::FromKey(key);
  const auto budget = budgets_.store().Get(name.ns, name.name);
  if (!budget || budget->metadata.deletion_timestamp) return RequeueAfter();
  if (!pods_.synced() || !sets_.synced() || !deployments_.synced())
    return RequeueAfter(std::chrono::milliseconds(50));
  const DisruptionPlan plan = PlanDisruption(
      *budget, PodsOf(*budget), [this](const api::Pod& pod) { return WorkloadOf(pod); },
      clock_.Wall());
  if (plan.status != budget->status) {
    BERTH_TRY_VOID(PatchStatus(client_, api::PodDisruptionBudget::kResource, budget->metadata,
                               json::Encode(plan.status)));
  }
  return plan.requeue_after;
}

std::vector<PodPtr> DisruptionController::PodsOf(const api::PodDisruptionBudget& budget) const {
  const api::Selector selector = SelectorOf(budget);
  std::vector<PodPtr> selected;
  for (PodPtr& pod : pods_.store().List()) {
    if (pod->metadata.namespace_ == budget.metadata.namespace_ &&
        selector.Matches(pod->metadata.labels)) {
      selected.push_back(std::move(pod));
    }
  }
  return selected;
}

std::optional<Workload> DisruptionController::WorkloadOf(const api::Pod& pod) const {
  const api::OwnerReference* owner = api::ControllerOf(pod.metadata);
  if (owner == nullptr || owner->kind != "ReplicaSet") return std::nullopt;
  const auto set = sets_.store().Get(pod.metadata.namespace_, owner->name);
  if (!set || set->metadata.uid != owner->uid) return std::nullopt;
  const api::OwnerReference* above = api::ControllerOf(set->metadata);
  if (above == nullptr || above->kind != "Deployment")
    return Workload{set->metadata.uid, set->spec.replicas};
  const auto deployment = deployments_.store().Get(pod.metadata.namespace_, above->name);
  if (!deployment || deployment->metadata.uid != above->uid) return std::nullopt;
  return Workload{deployment->metadata.uid, deployment->spec.replicas};
}

}  // namespace berth::simulation
