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
  status.names = plan.names_in_use;
  if (!plan.config_hash.empty()) status.config_hash = plan.config_hash;
  const std::string applied = AppliedHash(profile, observed);
  if (!applied.empty()) status.applied_config_hash = applied;
  return status;
}

// Of a scheduler that has fallen silent nothing is known: what it said last may be long over.
std::optional<int64_t> PendingPodsOf(const Observed& observed) {
  const SchedulerReport report = ReportOf(observed);
  return report.heard ? report.pending_pods : std::nullopt;
}

// AllWarnings are those of the plan and those of applying it, as many and as long as the status may
// have.
std::vector<std::string> AllWarnings(const Plan& plan, const std::vector<Explanation>& lasting) {
  std::vector<std::string> warnings;
  for (const Explanation& failure : lasting) warnings.push_back(failure.message);
  warnings.insert(warnings.end(), plan.warnings.begin(), plan.warnings.end());
  if (warnings.size() > kMaxWarnings) warnings.resize(kMaxWarnings);
  for (std::string& warning : warnings) {
    // Half a character is none to the API server, which would refuse the status.
    if (warning.size() > kMaxWarningLength) {
      warning = ReplaceInvalidUtf8(warning.substr(0, kMaxWarningLength));
    }
  }
  return warnings;
}

// A scheduler that cannot ask a metric source, or reads a kind that is not installed, schedules on, so
// that this is no condition.
void AddMissingWarnings(const Observed& observed, std::vector<Explanation>& lasting) {
  const SchedulerReport report = ReportOf(observed);
  if (!report.heard) return;
  if (!report.metric_sources.empty()) {
    lasting.push_back({"MetricSourceUnavailable", "metric source: " + report.metric_sources});
  }
  if (!report.absent_kinds.empty()) lasting.push_back({"KindNotInstalled", report.absent_kinds});
}

// What lasts is told once: while the status has it, everybody can see it there.
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

// Events tell what is new: a condition that turned, or the same fault with other words.
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
