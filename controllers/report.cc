// SPDX-License-Identifier: Apache-2.0
#include "controllers/report.h"

#include <algorithm>
#include <utility>

#include "api/conditions.h"
#include "base/strings.h"
#include "controllers/conditions.h"
#include "controllers/reconcile_errors.h"
#include "controllers/render.h"
#include "controllers/scheduler_state.h"

namespace berth::controllers {
namespace {

constexpr size_t kMaxWarnings = 64;
constexpr size_t kMaxWarningLength = 1024;

crds::SchedulerStatus SchedulerStatusOf(const Plan& plan, const Observed& observed) {
  const crds::SchedulerProfile& profile = plan.profile;
  const SchedulerReport report = ReportOf(observed);
  crds::SchedulerStatus status = profile.status.scheduler;
  status.namespace_ = profile.spec.namespace_;
  status.deployment = ObjectName(profile);
  status.replicas = observed.deployment ? observed.deployment->status.replicas : 0;
  status.ready_replicas = observed.deployment ? observed.deployment->status.ready_replicas : 0;
  status.leader = report.holder;
  status.names = plan.names.in_use;
  if (!plan.config_hash.empty()) status.config_hash = plan.config_hash;
  status.applied_config_hash =
      RenderedHash(profile, plan.config_hash, AppliedHash(profile, observed));
  return status;
}

// The last report of a scheduler without a heartbeat may be outdated, so its count is not used.
std::optional<int64_t> PendingPodsOf(const Observed& observed) {
  const SchedulerReport report = ReportOf(observed);
  return report.heard ? report.pending_pods : std::nullopt;
}

// Returns the warnings of the plan and of applying it, within the limits of the status.
std::vector<std::string> AllWarnings(const Plan& plan, const std::vector<Explanation>& lasting) {
  std::vector<std::string> warnings;
  for (const Explanation& failure : lasting) warnings.push_back(failure.message);
  for (const api::FieldWarning& warning : plan.warnings) warnings.push_back(warning.ToString());
  if (warnings.size() > kMaxWarnings) warnings.resize(kMaxWarnings);
  for (std::string& warning : warnings) {
    // The API server would reject a status with a truncated UTF-8 character.
    if (warning.size() > kMaxWarningLength) {
      warning = ReplaceInvalidUtf8(warning.substr(0, kMaxWarningLength));
    }
  }
  return warnings;
}

// A scheduler continues without a metric source or a kind that is not installed, so these are
// warnings and no condition.
void AddMissingWarnings(const Observed& observed, std::vector<Explanation>& lasting) {
  const SchedulerReport report = ReportOf(observed);
  if (!report.heard) return;
  if (!report.metric_sources.empty()) {
    lasting.push_back({"MetricSourceUnavailable", "metric source: " + report.metric_sources});
  }
  if (!report.absent_kinds.empty()) lasting.push_back({"KindNotInstalled", report.absent_kinds});
}

// A lasting warning causes one event. After that it is visible in the status.
void AddEventsOfNew(const std::vector<Explanation>& lasting, const std::vector<std::string>& before,
                    std::vector<PlannedEvent>& events) {
  for (const Explanation& failure : lasting) {
    if (std::ranges::find(before, failure.message) != before.end()) continue;
    events.push_back({.is_warning = true,
                      .reason = failure.reason,
                      .action = "Reconciling",
                      .note = failure.message,
                      .related = std::nullopt});
  }
}

// Records events for changes: a condition that became True, or a new message of Stalled.
std::vector<PlannedEvent> EventsOf(const std::vector<api::Condition>& before,
                                   const std::vector<api::Condition>& after) {
  std::vector<PlannedEvent> events;
  for (const std::string_view type : {crds::kConditionStalled, crds::kConditionReady}) {
    const api::Condition* now = api::FindCondition(after, type);
    const api::Condition* old = api::FindCondition(before, type);
    if (!now || now->status != "True") continue;
    const bool is_stalled = type == crds::kConditionStalled;
    const bool is_new = !old || old->status != "True";
    const bool is_other = is_stalled && old && old->message != now->message;
    if (is_new || is_other) {
      events.push_back({.is_warning = is_stalled,
                        .reason = now->reason,
                        .action = "Reconciling",
                        .note = now->message,
                        .related = std::nullopt});
    }
  }
  return events;
}

std::optional<std::chrono::nanoseconds> SilenceBegins(const Observed& observed) {
  if (!observed.lease || !observed.lease_unchanged) return std::nullopt;
  const std::chrono::seconds duration(observed.lease->spec.lease_duration_seconds.value_or(15));
  const std::chrono::nanoseconds left = duration - *observed.lease_unchanged;
  if (left.count() <= 0) return std::nullopt;
  return left + std::chrono::milliseconds(100);
}

}  // namespace

ProfileReport ReportOn(const Plan& plan, const Observed& observed,
                       const std::vector<ReconcileError>& failures, Time now) {
  const crds::SchedulerProfile& profile = plan.profile;
  std::vector<Explanation> lasting = FindWarnings(failures);
  AddMissingWarnings(observed, lasting);
  ProfileReport report{.status = profile.status};
  crds::SchedulerProfileStatus& status = report.status;
  status.observed_generation = profile.metadata.generation;
  status.conditions = MakeConditions(plan, observed, failures, now);
  status.scheduler = SchedulerStatusOf(plan, observed);
  status.pending_pods = PendingPodsOf(observed);
  if (plan.verdict.IsRead()) {
    status.plugins = plan.verdict.effective.plugins;
    status.plugin_count = static_cast<int32_t>(status.plugins.size());
    status.capabilities = plan.verdict.effective.capabilities;
    status.warnings = AllWarnings(plan, lasting);
  }
  report.events = EventsOf(profile.status.conditions, status.conditions);
  AddEventsOfNew(lasting, profile.status.warnings, report.events);
  report.requeue_after = SilenceBegins(observed);
  return report;
}

}  // namespace berth::controllers
