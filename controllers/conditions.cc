// SPDX-License-Identifier: Apache-2.0
#include "controllers/conditions.h"

#include <algorithm>
#include <chrono>

#include "api/conditions.h"
#include "api/scheduler_contract.h"
#include "controllers/problems.h"
#include "controllers/render.h"

namespace berth::controllers {
namespace {

constexpr std::chrono::seconds kDefaultLease{15};

const api::DeploymentCondition* Find(const api::Deployment& deployment, std::string_view type) {
  const auto& all = deployment.status.conditions;
  const auto found = std::ranges::find(all, type, &api::DeploymentCondition::type);
  return found == all.end() ? nullptr : &*found;
}

api::Condition Make(std::string_view type, std::string_view status, std::string reason,
                    std::string message) {
  return {.type = std::string(type),
          .status = std::string(status),
          .reason = std::move(reason),
          .message = std::move(message)};
}

bool IsTrue(const api::Condition& condition) { return condition.status == "True"; }

// Assessment works out the conditions one from the other, in reading order.
class Assessment {
 public:
  explicit Assessment(const ConditionInput& input)
      : input_(input), report_(ReportOf(input.observed)) {
    if (input.observed.deployment && OwnedBy(*input.observed.deployment)) {
      deployment_ = input.observed.deployment.get();
    }
  }

  api::Condition Valid() const;
  api::Condition Available() const;
  api::Condition ConfigApplied() const;
  std::optional<Fault> StalledFault() const;
  bool IsSuspended() const;
  std::optional<Fault> RolloutInProgress() const;

 private:
  bool OwnedBy(const api::Deployment& deployment) const {
    const api::OwnerReference* owner = api::ControllerOf(deployment.metadata);
    return owner && owner->uid == input_.profile.metadata.uid;
  }

  // As the profile says: what somebody wrote into the Deployment is set back in this very
  // reconcile.
  int32_t WantedReplicas() const {
    const crds::SchedulerProfileSpec& spec = input_.profile.spec;
    return spec.suspend ? 0 : spec.deployment.replicas;
  }

  const ConditionInput& input_;
  const SchedulerReport report_;
  const api::Deployment* deployment_ = nullptr;
};

api::Condition Assessment::Valid() const {
  if (input_.verdict.invalid) {
    return Make(crds::kConditionValid, "False", input_.verdict.invalid->reason,
                input_.verdict.invalid->message);
  }
  if (!crds::PluginsAreKnown(input_.profile.spec.engine)) {
    return Make(crds::kConditionValid, "True", "PluginsNotVerified",
                "the profile is valid; plugin names were not checked, as spec.engine.image may "
                "serve others than this version");
  }
  return Make(crds::kConditionValid, "True", "Valid", "the profile is valid");
}

api::Condition Assessment::Available() const {
  if (!deployment_) {
    return Make(crds::kConditionAvailable, "False", "NoDeployment", "there is no Deployment yet");
  }
  const int32_t ready = deployment_->status.ready_replicas;
  const std::string of = std::to_string(ready) + " of " + std::to_string(WantedReplicas()) +
                         " scheduler pods are ready";
  if (ready > 0) return Make(crds::kConditionAvailable, "True", "SchedulerReady", of);
  if (input_.profile.spec.suspend) {
    return Make(crds::kConditionAvailable, "False", "Suspended", "spec.suspend is set");
  }
  const api::DeploymentCondition* failure = Find(*deployment_, "ReplicaFailure");
  if (failure && failure->status == "True") {
    return Make(crds::kConditionAvailable, "False", "PodsRefused", failure->message);
  }
  return Make(crds::kConditionAvailable, "False", "NoReadyScheduler", of);
}

api::Condition Assessment::ConfigApplied() const {
  const auto make = [](std::string_view status, std::string reason, std::string message) {
    return Make(crds::kConditionConfigApplied, status, std::move(reason), std::move(message));
  };
  if (input_.config_hash.empty()) {
    return make("False", "NotRendered", "no configuration was rendered for this generation");
  }
  if (!report_.heard) {
    return make("Unknown", "NoHeartbeat",
                "no scheduler has reported on Lease " + input_.profile.spec.namespace_ + "/" +
                    ObjectName(input_.profile));
  }
  if (report_.applied_hash == input_.config_hash) {
    return make("True", "Applied", "the scheduler runs configuration " + input_.config_hash);
  }
  if (!report_.config_error.empty()) {
    return make("False", "ConfigRefused", report_.config_error);
  }
  return make("False", "Pending",
              "the scheduler has not taken over configuration " + input_.config_hash + " yet" +
                  (report_.applied_hash.empty() ? "" : "; it runs " + report_.applied_hash));
}

// What does not mend itself: a person has to change the profile or the cluster.
std::optional<Fault> Assessment::StalledFault() const {
  if (input_.verdict.invalid) return input_.verdict.invalid;
  if (input_.verdict.refused) return input_.verdict.refused;
  if (auto fault = StallingProblem(input_.profile, input_.observed.problems)) return fault;
  const bool refused =
      report_.heard && !report_.config_error.empty() && report_.applied_hash != input_.config_hash;
  if (refused) return Fault{"ConfigRefused", report_.config_error};
  if (deployment_) {
    const api::DeploymentCondition* progress = Find(*deployment_, "Progressing");
    if (progress && progress->status == "False" && progress->reason == "ProgressDeadlineExceeded") {
      return Fault{"ProgressDeadlineExceeded", progress->message};
    }
  }
  return std::nullopt;
}

bool Assessment::IsSuspended() const {
  return input_.profile.spec.suspend && deployment_ && deployment_->spec.replicas == 0 &&
         deployment_->status.observed_generation >= deployment_->metadata.generation &&
         deployment_->status.replicas == 0;
}

std::optional<Fault> Assessment::RolloutInProgress() const {
  if (auto fault = PassingProblem(input_.observed.problems)) return fault;
  if (!deployment_) return Fault{"Rendering", "the scheduler's objects are being written"};
  const api::DeploymentStatus& status = deployment_->status;
  const int32_t wanted = WantedReplicas();
  const bool done = status.observed_generation >= deployment_->metadata.generation &&
                    status.updated_replicas == wanted && status.replicas == wanted;
  if (done) return std::nullopt;
  return Fault{"RollingOut", std::to_string(status.updated_replicas) + " of " +
                                 std::to_string(wanted) + " scheduler pods are up to date"};
}

api::Condition ReadyOf(const std::vector<const api::Condition*>& needed,
                       const std::optional<Fault>& stalled) {
  if (stalled) return Make(crds::kConditionReady, "False", stalled->reason, stalled->message);
  for (const api::Condition* condition : needed) {
    if (!IsTrue(*condition)) {
      return Make(crds::kConditionReady, "False", condition->reason, condition->message);
    }
  }
  return Make(crds::kConditionReady, "True", "Ready",
              "the scheduler is available and runs the configuration of this generation");
}

// KeepTimes takes the time of the last transition from `before` where the status is the same.
void KeepTimes(std::vector<api::Condition>& conditions, const std::vector<api::Condition>& before,
               int64_t generation, Time now) {
  for (api::Condition& condition : conditions) {
    const api::Condition* old = api::FindCondition(before, condition.type);
    const bool same = old && old->status == condition.status;
    condition.last_transition_time = same ? old->last_transition_time : now;
    condition.observed_generation = generation;
  }
}

}  // namespace

SchedulerReport ReportOf(const Observed& observed) {
  SchedulerReport report;
  if (!observed.lease) return report;
  const api::Lease& lease = *observed.lease;
  const auto annotation = [&lease](std::string_view key) -> std::string {
    const auto found = lease.metadata.annotations.find(std::string(key));
    return found == lease.metadata.annotations.end() ? "" : found->second;
  };
  const std::chrono::seconds duration =
      lease.spec.lease_duration_seconds ? std::chrono::seconds(*lease.spec.lease_duration_seconds)
                                        : kDefaultLease;
  report.heard = observed.lease_unchanged && *observed.lease_unchanged <= duration &&
                 !lease.spec.holder_identity.value_or("").empty();
  report.applied_hash = annotation(api::kAppliedConfigHashAnnotation);
  report.config_error = annotation(api::kConfigErrorAnnotation);
  if (report.heard) report.holder = lease.spec.holder_identity.value_or("");
  return report;
}

std::vector<api::Condition> MakeConditions(const ConditionInput& input) {
  const Assessment assessment(input);
  const api::Condition valid = assessment.Valid();
  const api::Condition available = assessment.Available();
  const api::Condition applied = assessment.ConfigApplied();
  const std::optional<Fault> stalled = assessment.StalledFault();
  const bool suspended = assessment.IsSuspended();
  const api::Condition ready = ReadyOf({&valid, &available, &applied}, stalled);

  std::vector<api::Condition> conditions = {ready, valid, available, applied};
  if (suspended) {
    conditions.push_back(
        Make(crds::kConditionSuspended, "True", "Suspended", "spec.suspend is set"));
  }
  if (stalled) {
    conditions.push_back(Make(crds::kConditionStalled, "True", stalled->reason, stalled->message));
  } else if (const auto rollout = assessment.RolloutInProgress()) {
    conditions.push_back(
        Make(crds::kConditionReconciling, "True", rollout->reason, rollout->message));
  } else if (!IsTrue(ready) && !suspended) {
    conditions.push_back(Make(crds::kConditionReconciling, "True", ready.reason, ready.message));
  }
  KeepTimes(conditions, input.profile.status.conditions, input.profile.metadata.generation,
            input.now);
  return conditions;
}

}  // namespace berth::controllers
