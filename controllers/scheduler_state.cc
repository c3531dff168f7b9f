// SPDX-License-Identifier: Apache-2.0
#include "controllers/scheduler_state.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "api/scheduler_contract.h"
#include "controllers/config.h"
#include "controllers/render.h"

namespace berth::controllers {
namespace {

constexpr std::chrono::seconds kDefaultLease{15};

// Parses a count. The text is untrusted: any client with write access to the Lease may have set it.
std::optional<int64_t> CountIn(const std::string& text) {
  int64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [last, code] = std::from_chars(text.data(), end, count);
  if (code != std::errc() || last != end || count < 0) return std::nullopt;
  return count;
}

// Returns the version of all pods once its rollout is complete; "" before.
std::string RolledOutVersion(const crds::SchedulerProfile& profile, const Observed& observed) {
  const api::Deployment* deployment = observed.deployment.get();
  if (!deployment || !IsOurs(*deployment, profile)) return "";
  const int32_t wanted = deployment->spec.replicas.value_or(1);
  const bool serves = wanted == 0 || deployment->status.ready_replicas > 0;
  const std::string version = VersionOf(deployment->spec.template_.metadata);
  const bool is_complete =
      serves && IsRolledOut(*deployment, wanted) && !HasPodsOfOtherVersion(version, observed);
  return is_complete ? version : "";
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
  const std::string holder = lease.spec.holder_identity.value_or("");
  report.heard =
      observed.lease_unchanged && *observed.lease_unchanged <= duration && !holder.empty();
  if (report.heard) report.holder = holder;
  // Schedulers of older versions set no reporter; they were the only holders of their Leases.
  const std::string reporter = annotation(api::kReporterAnnotation);
  if (!reporter.empty() && !holder.empty() && reporter != holder) return report;
  report.is_reported = !reporter.empty() && reporter == holder;
  report.applied_hash = annotation(api::kAppliedConfigHashAnnotation);
  report.needs_restart = annotation(api::kConfigNeedsRestartAnnotation);
  report.config_error = annotation(api::kConfigErrorAnnotation);
  report.rejected_hash = annotation(api::kConfigErrorHashAnnotation);
  report.metric_sources = annotation(api::kMetricSourcesAnnotation);
  report.absent_kinds = annotation(api::kAbsentKindsAnnotation);
  report.pending_pods = CountIn(annotation(api::kPendingPodsAnnotation));
  return report;
}

bool IsOurs(const api::Deployment& deployment, const crds::SchedulerProfile& profile) {
  const api::OwnerReference* owner = api::ControllerOf(deployment.metadata);
  return owner && owner->uid == profile.metadata.uid && !deployment.metadata.deletion_timestamp;
}

bool IsRolledOut(const api::Deployment& deployment, int32_t wanted) {
  const api::DeploymentStatus& status = deployment.status;
  return status.observed_generation >= deployment.metadata.generation &&
         status.updated_replicas == wanted && status.replicas == wanted;
}

std::string VersionOf(const api::ObjectMeta& metadata) {
  const auto found = metadata.annotations.find(std::string(kConfigVersionAnnotation));
  return found == metadata.annotations.end() ? "" : found->second;
}

bool HasPodsOfOtherVersion(const std::string& version, const Observed& observed) {
  return std::ranges::any_of(
      observed.pods, [&version](const auto& pod) { return VersionOf(pod->metadata) != version; });
}

std::string AppliedHash(const crds::SchedulerProfile& profile, const Observed& observed) {
  const SchedulerReport report = ReportOf(observed);
  if (!IsVersioned(profile)) return HasPodsOfOtherVersion("", observed) ? "" : report.applied_hash;
  const std::string version = RolledOutVersion(profile, observed);
  const bool agrees =
      profile.spec.engine.IsKubeScheduler() ? !report.is_reported : report.applied_hash == version;
  return agrees ? version : "";
}

std::string RenderedHash(const crds::SchedulerProfile& profile, const std::string& config_hash,
                         const std::string& reported) {
  const crds::SchedulerStatus& status = profile.status.scheduler;
  const bool is_rendered = reported == config_hash || reported == status.config_hash;
  return is_rendered && !reported.empty() ? reported : status.applied_config_hash;
}

}  // namespace berth::controllers
