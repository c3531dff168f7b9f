// SPDX-License-Identifier: Apache-2.0
#include "controllers/conditions.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/scheduler_contract.h"
#include "base/strings.h"
#include "controllers/config.h"
#include "controllers/reconcile_errors.h"
#include "controllers/render.h"
#include "controllers/scheduler_state.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

// Facts is the input of the checks.
struct Facts {
  const crds::SchedulerProfile& profile;
  const std::string& operator_namespace;
  const Verdict& verdict;
  const std::string& config_hash;
  const std::vector<ReconcileError>& failures;
  SchedulerReport report;
  std::string applied_hash;           // see AppliedHash
  const api::Deployment* deployment;  // nullptr if missing or of another owner
  const std::vector<std::shared_ptr<const SchedulerPod>>& pods;

  // From the profile: a change of the Deployment by another client is set back in this reconcile.
  int32_t WantedReplicas() const {
    return profile.spec.suspend ? 0 : profile.spec.deployment.replicas;
  }
};

Facts FactsOf(const Plan& plan, const Observed& observed,
              const std::vector<ReconcileError>& failures) {
  Facts facts{.profile = plan.profile,
              .operator_namespace = plan.operator_namespace,
              .verdict = plan.verdict,
              .config_hash = plan.config_hash,
              .failures = failures,
              .report = ReportOf(observed),
              .applied_hash = AppliedHash(plan.profile, observed),
              .deployment = observed.deployment.get(),
              .pods = observed.pods};
  if (facts.deployment && !IsOurs(*facts.deployment, plan.profile)) facts.deployment = nullptr;
  return facts;
}

// ---- checks: each returns its finding, or nullopt if it does not apply. A check runs only after
// all checks before it in its list returned nullopt.

using Found = std::optional<Explanation>;

Found InvalidProfile(const Facts& facts) { return facts.verdict.invalid; }

Found PluginsNotVerified(const Facts& facts) {
  if (crds::PluginNamesAreKnown(facts.profile.spec.engine)) return std::nullopt;
  return Explanation{
      "PluginsNotVerified",
      "the profile is valid; plugin names were not checked, as spec.engine.image may "
      "serve others than this version"};
}

Found ValidProfile(const Facts&) { return Explanation{"Valid", "the profile is valid"}; }

// The namespace does not exist, or this version cannot apply the profile.
Found RejectedProfile(const Facts& facts) { return facts.verdict.rejected; }

Found TakenNames(const Facts& facts) {
  if (facts.profile.spec.suspend) return std::nullopt;
  return ExplainTaken(facts.verdict.names);
}

// An object of another owner is in the way, or a permission is missing.
Found RejectedWrite(const Facts& facts) {
  return FindStallingError(facts.profile, facts.operator_namespace, facts.failures);
}

Found FailedWrite(const Facts& facts) { return FindTransientError(facts.failures); }

Found NotRendered(const Facts& facts) {
  if (!facts.config_hash.empty()) return std::nullopt;
  const Found& cause = facts.verdict.invalid ? facts.verdict.invalid : facts.verdict.rejected;
  const std::string& runs = facts.applied_hash;
  return Explanation{
      "NotRendered",
      fmt::format(
          "generation {} of the profile is not accepted ({}), so it has no configuration; {}",
          facts.profile.metadata.generation, cause ? cause->reason : "see Stalled",
          runs.empty() ? "no scheduler has reported one" : "the scheduler keeps " + runs)};
}

// A scheduler that reads its configuration only at start reports an error in it as its termination
// message.
Found NewPodsFail(const Facts& facts) {
  if (!IsVersioned(facts.profile) || facts.applied_hash == facts.config_hash) return std::nullopt;
  std::vector<std::shared_ptr<const SchedulerPod>> pods = facts.pods;
  std::erase_if(
      pods, [&facts](const auto& pod) { return VersionOf(pod->metadata) != facts.config_hash; });
  const std::optional<PodFailure> failure = WorstFailure(pods);
  if (!failure) return std::nullopt;
  return Explanation{failure->reason,
                     fmt::format("the scheduler does not start with configuration {}: {}",
                                 facts.config_hash, failure->message)};
}

Found NoHeartbeat(const Facts& facts) {
  if (facts.report.heard) return std::nullopt;
  return Explanation{"NoHeartbeat",
                     fmt::format("no scheduler renews Lease {}/{}: it has not started, has exited, "
                                 "or does not reach the API server",
                                 facts.profile.spec.namespace_, ObjectName(facts.profile))};
}

Found RestartNeeded(const Facts& facts) {
  const SchedulerReport& report = facts.report;
  const bool waits =
      report.heard && !report.needs_restart.empty() && report.applied_hash == facts.config_hash;
  if (!waits) return std::nullopt;
  return Explanation{
      "RestartNeeded",
      fmt::format(
          "the scheduler runs configuration {}, but its pods have yet to be replaced for: {}",
          facts.config_hash, report.needs_restart)};
}

Found ConfigRuns(const Facts& facts) {
  if (facts.applied_hash != facts.config_hash) return std::nullopt;
  return Explanation{"Applied",
                     fmt::format("the scheduler runs configuration {}", facts.config_hash)};
}

Found ConfigRefused(const Facts& facts) {
  const SchedulerReport& report = facts.report;
  // An error in another text does not apply to this one.
  const bool rejected = report.heard && !report.config_error.empty() &&
                        report.rejected_hash == facts.config_hash &&
                        report.applied_hash != facts.config_hash;
  if (!rejected) return std::nullopt;
  return Explanation{"ConfigRefused", report.config_error};
}

// A scheduler that was started without a sidecar rejects the extender at the sidecar's port. Its
// pod is about to be replaced by one with the sidecar.
bool AwaitsSidecars(const Facts& facts) {
  if (facts.profile.spec.deployment.sidecars.empty() || !facts.deployment) return false;
  return IsRollingOut(*facts.deployment) || std::ranges::any_of(facts.pods, [](const auto& pod) {
           return pod->metadata.deletion_timestamp.has_value();
         });
}

Found RejectedForGood(const Facts& facts) {
  return AwaitsSidecars(facts) ? std::nullopt : ConfigRefused(facts);
}

Found ConfigPending(const Facts& facts) {
  std::string message =
      fmt::format("the scheduler has not applied configuration {} yet", facts.config_hash);
  if (!facts.applied_hash.empty()) message += "; it runs " + facts.applied_hash;
  return Explanation{"Pending", std::move(message)};
}

Found NoDeployment(const Facts& facts) {
  if (facts.deployment) return std::nullopt;
  return Explanation{"NoDeployment",
                     fmt::format("Deployment {}/{} does not exist yet",
                                 facts.profile.spec.namespace_, ObjectName(facts.profile))};
}

Found NotWritten(const Facts& facts) {
  if (facts.deployment) return std::nullopt;
  return Explanation{"Rendering", "the scheduler's objects are being written"};
}

// Adds the reason and message of the most important pod failure, if there is one.
Explanation WithPodFailure(const Facts& facts, Explanation counted) {
  std::optional<PodFailure> failure = WorstFailure(facts.pods);
  if (!failure) return counted;
  return {std::move(failure->reason), counted.message + "; " + failure->message};
}

Explanation ReadyPods(std::string reason, const Facts& facts) {
  return {std::move(reason),
          fmt::format("{} of {} scheduler pods are ready", facts.deployment->status.ready_replicas,
                      facts.WantedReplicas())};
}

Found SchedulerReady(const Facts& facts) {
  if (facts.deployment->status.ready_replicas == 0) return std::nullopt;
  return ReadyPods("SchedulerReady", facts);
}

Found NoReadyScheduler(const Facts& facts) {
  return WithPodFailure(facts, ReadyPods("NoReadyScheduler", facts));
}

Found SuspendedProfile(const Facts& facts) {
  if (!facts.profile.spec.suspend) return std::nullopt;
  return Explanation{"Suspended", "spec.suspend is set"};
}

Explanation PausedProfile() {
  return {"Paused", fmt::format("annotation {} is set: the operator writes only this status until "
                                "the annotation is removed",
                                api::kPausedAnnotation)};
}

Explanation TerminatingProfile(const crds::SchedulerProfile& profile) {
  std::string message = "the profile is being deleted; the operator no longer writes its objects";
  if (!profile.metadata.finalizers.empty()) {
    message += "; it is gone once these finalizers are removed: " +
               Join(profile.metadata.finalizers, ", ");
  }
  return {"Terminating", std::move(message)};
}

const api::DeploymentCondition* Find(const api::Deployment& deployment, std::string_view type) {
  const auto& all = deployment.status.conditions;
  const auto found = std::ranges::find(all, type, &api::DeploymentCondition::type);
  return found == all.end() ? nullptr : &*found;
}

Found PodsRefused(const Facts& facts) {
  const api::DeploymentCondition* failure = Find(*facts.deployment, "ReplicaFailure");
  if (!failure || failure->status != "True") return std::nullopt;
  return Explanation{"PodsRefused", failure->message};
}

// Returns condition Progressing if the Deployment's rollout has passed its deadline.
const api::DeploymentCondition* PassedDeadline(const api::Deployment& deployment) {
  const api::DeploymentCondition* progress = Find(deployment, "Progressing");
  const bool passed =
      progress && progress->status == "False" && progress->reason == "ProgressDeadlineExceeded";
  return passed ? progress : nullptr;
}

Found RolloutStuck(const Facts& facts) {
  if (!facts.deployment) return std::nullopt;
  const api::DeploymentCondition* progress = PassedDeadline(*facts.deployment);
  if (!progress) return std::nullopt;
  return Explanation{"ProgressDeadlineExceeded",
                     WithPodFailure(facts, {"", progress->message}).message};
}

Found RollingOut(const Facts& facts) {
  const int32_t wanted = facts.WantedReplicas();
  if (IsRolledOut(*facts.deployment, wanted)) return std::nullopt;
  const Explanation counted{std::string(kRollingOut),
                            fmt::format("{} of {} scheduler pods are up to date",
                                        facts.deployment->status.updated_replicas, wanted)};
  return Explanation{counted.reason, WithPodFailure(facts, counted).message};
}

Found PodsNotReady(const Facts& facts) {
  const int32_t ready = facts.deployment->status.ready_replicas;
  if (ready >= facts.WantedReplicas()) return std::nullopt;
  if (ready == 0) return NoReadyScheduler(facts);
  return WithPodFailure(facts, ReadyPods("PodsNotReady", facts));
}

// ---- lists: the first check with a finding decides

using Check = Found (*)(const Facts&);

struct Row {
  std::string_view status;  // of the condition, if the check has a finding
  Check check;
};

constexpr Row kValid[] = {
    {"False", InvalidProfile}, {"True", PluginsNotVerified}, {"True", ValidProfile}};

constexpr Row kAvailable[] = {{"False", NoDeployment},
                              {"True", SchedulerReady},
                              {"False", SuspendedProfile},
                              {"False", PodsRefused},
                              {"False", NoReadyScheduler}};

constexpr Row kConfigApplied[] = {
    {"False", NotRendered},   {"False", NewPodsFail}, {"Unknown", NoHeartbeat},
    {"False", RestartNeeded}, {"True", ConfigRuns},   {"False", ConfigRefused},
    {"False", ConfigPending},
};

// States that do not resolve themselves: an admin has to change the profile or the cluster.
constexpr Check kStalling[] = {InvalidProfile,  RejectedProfile, RejectedWrite,
                               RejectedForGood, RolloutStuck,    TakenNames};

// States that resolve themselves.
constexpr Check kReconciling[] = {FailedWrite, NotWritten, RollingOut, PodsNotReady};

api::Condition Make(std::string_view type, std::string_view status, const Explanation& found) {
  return {.type = std::string(type),
          .status = std::string(status),
          .reason = found.reason,
          .message = found.message};
}

// Requires: the last check of the list always has a finding.
api::Condition Judge(std::string_view type, std::span<const Row> rows, const Facts& facts) {
  for (const Row& row : rows) {
    if (const Found found = row.check(facts)) return Make(type, row.status, *found);
  }
  return Make(type, "Unknown", {"Unknown", "nothing is known"});
}

Found FirstOf(std::span<const Check> checks, const Facts& facts) {
  for (const Check check : checks) {
    if (Found found = check(facts)) return found;
  }
  return std::nullopt;
}

// ---- conditions derived from other conditions

bool IsTrue(const api::Condition& condition) { return condition.status == "True"; }

bool WasReady(const crds::SchedulerProfile& profile) {
  const api::Condition* ready =
      api::FindCondition(profile.status.conditions, crds::kConditionReady);
  return ready && IsTrue(*ready) && ready->observed_generation == profile.metadata.generation;
}

// Returns the reason why Ready is not True although the conditions it depends on are. Ready becomes
// True for a generation only when all work for it is done. Later work, for a lost pod or a new
// image of the operator, makes it False only through one of these conditions.
Found StillOpen(const Facts& facts, const Found& under_way) {
  if (Found awaited = ExplainAwaited(facts.verdict.names)) return awaited;
  return WasReady(facts.profile) ? std::nullopt : under_way;
}

api::Condition ReadyOf(const Facts& facts, const std::vector<const api::Condition*>& needed,
                       const Found& stalled, const Found& still_open) {
  if (stalled) return Make(crds::kConditionReady, "False", *stalled);
  for (const api::Condition* condition : needed) {
    if (!IsTrue(*condition)) {
      return Make(crds::kConditionReady, "False", {condition->reason, condition->message});
    }
  }
  if (still_open) return Make(crds::kConditionReady, "False", *still_open);
  // The generation makes the events of successive changes distinct.
  return Make(crds::kConditionReady, "True",
              {"Ready", fmt::format("the scheduler is available and runs the configuration of "
                                    "generation {}",
                                    facts.profile.metadata.generation)});
}

// Setting spec.suspend is not enough: no pod may be left, not even a terminating one.
bool IsSuspended(const Facts& facts) {
  const api::Deployment* deployment = facts.deployment;
  return facts.profile.spec.suspend && deployment && deployment->spec.replicas == 0 &&
         deployment->status.observed_generation >= deployment->metadata.generation &&
         deployment->status.replicas == 0 && facts.pods.empty();
}

// Keeps the last transition time of each condition whose status has not changed.
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

bool IsRollingOut(const api::Deployment& deployment) {
  return !IsRolledOut(deployment, deployment.spec.replicas.value_or(1)) &&
         !PassedDeadline(deployment);
}

std::vector<api::Condition> MakeConditions(const Plan& plan, const Observed& observed,
                                           const std::vector<ReconcileError>& failures, Time now) {
  const Facts facts = FactsOf(plan, observed, failures);
  const api::Condition valid = Judge(crds::kConditionValid, kValid, facts);
  const api::Condition available = Judge(crds::kConditionAvailable, kAvailable, facts);
  const api::Condition applied = Judge(crds::kConditionConfigApplied, kConfigApplied, facts);
  const Found stalled = plan.terminating ? std::nullopt : FirstOf(kStalling, facts);
  const Found under_way =
      plan.terminating ? TerminatingProfile(plan.profile) : FirstOf(kReconciling, facts);
  const bool suspended = IsSuspended(facts);
  const api::Condition ready = plan.terminating ? Make(crds::kConditionReady, "False", *under_way)
                                                : ReadyOf(facts, {&valid, &available, &applied},
                                                          stalled, StillOpen(facts, under_way));

  std::vector<api::Condition> conditions;
  if (plan.paused) conditions.push_back(Make(crds::kConditionPaused, "True", PausedProfile()));
  if (suspended) {
    conditions.push_back(Make(crds::kConditionSuspended, "True", *SuspendedProfile(facts)));
  }
  const bool has_ready = plan.terminating || (plan.paused ? IsTrue(ready) : !suspended);
  if (has_ready) conditions.push_back(ready);
  conditions.insert(conditions.end(), {valid, available, applied});
  Found open = under_way;
  if (!open && !IsTrue(ready) && !suspended) open = Explanation{ready.reason, ready.message};
  if (stalled && !plan.paused) {
    conditions.push_back(Make(crds::kConditionStalled, "True", *stalled));
  } else if (open && !plan.paused) {
    conditions.push_back(Make(crds::kConditionReconciling, "True", *open));
  }
  KeepTimes(conditions, plan.profile.status.conditions, plan.profile.metadata.generation, now);
  return conditions;
}

}  // namespace berth::controllers
