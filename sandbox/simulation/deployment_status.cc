// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/deployment_status.h"

#include <algorithm>
#include <optional>

#include "api/conditions.h"
#include "sandbox/simulation/rolling_update.h"

namespace berth::simulation {
namespace {

using api::DeploymentCondition;
using api::DeploymentStatus;
using api::FindCondition;

constexpr int32_t kDefaultDeadline = 600;  // seconds

DeploymentStatus Count(const Progress& progress) {
  DeploymentStatus status{.observed_generation = progress.deployment.metadata.generation};
  int32_t wanted = 0;
  for (const auto& set : progress.sets) {
    wanted += set->spec.replicas;
    status.replicas += set->status.replicas;
    status.ready_replicas += set->status.ready_replicas;
    status.available_replicas += set->status.available_replicas;
  }
  if (progress.newest != nullptr) status.updated_replicas = progress.newest->status.replicas;
  status.unavailable_replicas = std::max(0, wanted - status.available_replicas);
  status.collision_count = progress.deployment.status.collision_count;
  return status;
}

bool IsComplete(const Progress& progress, const DeploymentStatus& status) {
  const int32_t replicas = progress.deployment.spec.replicas;
  return progress.newest != nullptr && status.updated_replicas == replicas &&
         status.replicas == replicas && status.available_replicas == replicas;
}

bool HasMoved(const DeploymentStatus& before, const DeploymentStatus& status) {
  const auto old_pods = [](const DeploymentStatus& s) { return s.replicas - s.updated_replicas; };
  return status.updated_replicas > before.updated_replicas || old_pods(status) < old_pods(before) ||
         status.ready_replicas > before.ready_replicas ||
         status.available_replicas > before.available_replicas;
}

DeploymentCondition Availability(const Progress& progress, const DeploymentStatus& status) {
  const DeploymentSpec& spec = progress.deployment.spec;
  if (status.available_replicas >= spec.replicas - AllowanceOf(spec).max_unavailable) {
    return {.type = "Available",
            .status = "True",
            .reason = "MinimumReplicasAvailable",
            .message = "Deployment has minimum availability."};
  }
  return {.type = "Available",
          .status = "False",
          .reason = "MinimumReplicasUnavailable",
          .message = "Deployment does not have minimum availability."};
}

// Returns the Progressing condition of a paused or just resumed Deployment; nullopt if its deadline
// has been exceeded, which stays.
std::optional<DeploymentCondition> WhilePaused(const DeploymentSpec& spec,
                                               const DeploymentCondition* last) {
  if (last != nullptr && last->reason == "ProgressDeadlineExceeded") return std::nullopt;
  if (spec.paused) {
    return DeploymentCondition{.type = "Progressing",
                               .status = "Unknown",
                               .reason = "DeploymentPaused",
                               .message = "Deployment is paused"};
  }
  if (last == nullptr || last->reason != "DeploymentPaused") return std::nullopt;
  return DeploymentCondition{.type = "Progressing",
                             .status = "Unknown",
                             .reason = "DeploymentResumed",
                             .message = "Deployment is resumed"};
}

DeploymentCondition ProgressOf(const Progress& progress, const DeploymentStatus& status,
                               RequeueAfter& requeue_after) {
  const DeploymentStatus& before = progress.deployment.status;
  const DeploymentCondition* last = FindCondition(before.conditions, "Progressing");
  if (auto paused = WhilePaused(progress.deployment.spec, last)) return *std::move(paused);
  const std::string set = progress.newest ? progress.newest->metadata.name : progress.created;
  DeploymentCondition condition{.type = "Progressing", .status = "True"};
  if (!progress.created.empty()) {
    condition.reason = "NewReplicaSetCreated";
    condition.message = "Created new replica set \"" + set + "\"";
  } else if (IsComplete(progress, status)) {
    condition.reason = "NewReplicaSetAvailable";
    condition.message = "ReplicaSet \"" + set + "\" has successfully progressed.";
    return condition;
  } else if (last == nullptr || HasMoved(before, status) ||
             last->reason == "NewReplicaSetAvailable") {
    condition.reason = "ReplicaSetUpdated";
    condition.message = "ReplicaSet \"" + set + "\" is progressing.";
  } else {
    const std::chrono::seconds deadline(
        progress.deployment.spec.progress_deadline_seconds.value_or(kDefaultDeadline));
    const auto left = (last->last_update_time + deadline) - progress.now;
    if (last->status == "False" || left <= std::chrono::nanoseconds(0)) {
      return {.type = "Progressing",
              .status = "False",
              .reason = "ProgressDeadlineExceeded",
              .message = "ReplicaSet \"" + set + "\" has timed out progressing."};
    }
    requeue_after = left;
    return *last;
  }
  requeue_after = std::chrono::seconds(
      progress.deployment.spec.progress_deadline_seconds.value_or(kDefaultDeadline));
  return condition;
}

// A condition's timestamps change only with its content.
void Date(DeploymentCondition& condition, const DeploymentStatus& before, bool moved, Time now) {
  const DeploymentCondition* last = FindCondition(before.conditions, condition.type);
  const bool same_status = last != nullptr && last->status == condition.status;
  const bool same = same_status && last->reason == condition.reason &&
                    last->message == condition.message && !moved;
  condition.last_transition_time = same_status ? last->last_transition_time : now;
  condition.last_update_time = same ? last->last_update_time : now;
}

}  // namespace

api::DeploymentStatus PlanDeploymentStatus(const Progress& progress, RequeueAfter& requeue_after) {
  const api::DeploymentStatus& before = progress.deployment.status;
  api::DeploymentStatus status = Count(progress);
  DeploymentCondition available = Availability(progress, status);
  DeploymentCondition progressing = ProgressOf(progress, status, requeue_after);
  Date(available, before, false, progress.now);
  Date(progressing, before,
       progressing.status == "True" && !IsComplete(progress, status) && HasMoved(before, status),
       progress.now);
  status.conditions = {std::move(available), std::move(progressing)};
  return status;
}

}  // namespace berth::simulation
