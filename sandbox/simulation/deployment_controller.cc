// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/deployment_controller.h"

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "client/api_request.h"
#include "sandbox/simulation/proportional_scaling.h"
#include "sandbox/simulation/requests.h"

namespace berth::simulation {
namespace {

using Json = nlohmann::json;

constexpr int kDeploymentWorkers = 2;

}  // namespace

DeploymentController::DeploymentController(client::Client& client,
                                           client::Informer<Deployment>& deployments,
                                           client::Informer<ReplicaSet>& sets,
                                           client::Informer<api::Pod>& pods, const Clock& clock)
    : client_(client),
      deployments_(deployments),
      sets_(sets),
      pods_(pods),
      clock_(clock),
      loop_("Deployment", clock, kDeploymentWorkers,
            [this](const std::string& key) { return Reconcile(key); }) {
  deployments_.Listen([this](const api::Change<Deployment>& change) {
    loop_.Add(KeyOf(change.newest().metadata));
  });
  sets_.Listen([this](const api::Change<ReplicaSet>& change) {
    const ReplicaSet& set = change.newest();
    const api::OwnerReference* owner = api::ControllerOf(set.metadata);
    if (owner != nullptr && owner->kind == "Deployment") {
      loop_.Add(ObjectName{set.metadata.namespace_, owner->name}.Key());
    }
  });
  // Recreate waits until the last pod of an old template is gone.
  pods_.Listen([this](const api::Change<api::Pod>& change) {
    const api::Pod& pod = change.newest();
    const api::OwnerReference* owner = api::ControllerOf(pod.metadata);
    if (change.type != api::ChangeType::kDeleted || owner == nullptr) return;
    const auto set = sets_.store().Get(pod.metadata.namespace_, owner->name);
    const api::OwnerReference* root = set ? api::ControllerOf(set->metadata) : nullptr;
    if (root != nullptr) loop_.Add(ObjectName{pod.metadata.namespace_, root->name}.Key());
  });
}

Result<RequeueAfter> DeploymentController::Reconcile(const std::string& key) {
  const ObjectName name = ObjectName::FromKey(key);
  const auto deployment = deployments_.store().Get(name.ns, name.name);
  if (!deployment) return RequeueAfter();
  if (!sets_.synced() || !pods_.synced()) return RequeueAfter(std::chrono::milliseconds(50));
  const DeploymentPlan plan = PlanDeployment(ViewOf(*deployment));
  BERTH_TRY_VOID(Carry(*deployment, plan));
  if (plan.status == deployment->status) return plan.requeue_after;
  BERTH_TRY_VOID(
      PatchStatus(client_, Deployment::kResource, deployment->metadata, json::Encode(plan.status)));
  return plan.requeue_after;
}

DeploymentView DeploymentController::ViewOf(const Deployment& deployment) const {
  DeploymentView view{.deployment = deployment, .sets = {}, .now = clock_.Wall()};
  for (ReplicaSetPtr& set : sets_.store().List()) {
    if (set->metadata.namespace_ == deployment.metadata.namespace_ &&
        IsControlledBy(set->metadata, deployment.metadata.uid)) {
      view.sets.push_back(std::move(set));
    }
  }
  view.old_pods_exist = OldPodsExist(deployment, view.sets);
  return view;
}

bool DeploymentController::OldPodsExist(const Deployment& deployment,
                                        const std::vector<ReplicaSetPtr>& sets) const {
  if (deployment.spec.strategy.type != "Recreate") return false;
  for (const auto& pod : pods_.store().List()) {
    const bool has_ended = pod->status.phase == "Succeeded" || pod->status.phase == "Failed";
    for (const ReplicaSetPtr& set : sets) {
      if (!has_ended && IsControlledBy(pod->metadata, set->metadata.uid) &&
          !SameTemplate(set->spec.template_, deployment.spec.template_)) {
        return true;
      }
    }
  }
  return false;
}

// Every write has the state of the plan as its precondition; a conflict causes a new plan.
Result<void> DeploymentController::Carry(const Deployment& deployment, const DeploymentPlan& plan) {
  if (plan.create) BERTH_TRY_VOID(CreateSet(deployment, *plan.create));
  for (const ReplicaSetPtr& set : ViewOf(deployment).sets) {
    Json patch = Json::object();
    const auto scale = plan.scale.find(set->metadata.name);
    if (scale != plan.scale.end()) {
      patch["spec"]["replicas"] = scale->second;
      patch["metadata"]["annotations"] = SizeNotes(deployment.spec);
    }
    if (plan.revision && set->metadata.name == plan.newest) {
      patch["metadata"]["annotations"][kRevisionAnnotation] = std::to_string(*plan.revision);
    }
    if (patch.empty()) continue;
    BERTH_TRY_VOID(PatchExactly(client_, ReplicaSet::kResource, set->metadata,
                                berth::json::DocumentText(patch)));
  }
  for (const ReplicaSetPtr& set : plan.remove) {
    BERTH_TRY_VOID(DeleteExactly(client_, ReplicaSet::kResource, set->metadata));
  }
  const auto revision = deployment.metadata.annotations.find(kRevisionAnnotation);
  const bool is_reported =
      revision != deployment.metadata.annotations.end() && revision->second == plan.revision_text;
  if (plan.revision_text.empty() || is_reported) return {};
  const Json patch = {{"metadata", {{"annotations", {{kRevisionAnnotation, plan.revision_text}}}}}};
  return PatchExactly(client_, Deployment::kResource, deployment.metadata,
                      berth::json::DocumentText(patch));
}

Result<void> DeploymentController::CreateSet(const Deployment& deployment,
                                             const DeploymentPlan::NewSet& set) {
  Result<void> created = Ignored(client_.Call(
      client::CreateRequest(ReplicaSet::kResource, deployment.metadata.namespace_, set.json)));
  if (created || !created.error().Is(Reason::kAlreadyExists)) return created;
  BERTH_TRY(const ReplicaSet found,
            client_.Get<ReplicaSet>(deployment.metadata.namespace_, set.name));
  const bool is_ours = IsControlledBy(found.metadata, deployment.metadata.uid) &&
                       SameTemplate(found.spec.template_, deployment.spec.template_);
  if (is_ours) return Fail(Reason::kConflict, "the watch has not seen the ReplicaSet yet");
  return CountCollision(deployment);
}

// The name is taken by a ReplicaSet with another template: the retry uses another name.
Result<void> DeploymentController::CountCollision(const Deployment& deployment) {
  api::DeploymentStatus status = deployment.status;
  status.collision_count = status.collision_count.value_or(0) + 1;
  BERTH_TRY_VOID(
      PatchStatus(client_, Deployment::kResource, deployment.metadata, json::Encode(status)));
  return Fail(Reason::kConflict, "the name of the new ReplicaSet is taken");
}

}  // namespace berth::simulation
