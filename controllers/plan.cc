// SPDX-License-Identifier: Apache-2.0
#include "controllers/plan.h"

#include <algorithm>
#include <utility>

#include "api/conditions.h"
#include "api/scheduler_contract.h"
#include "controllers/conditions.h"
#include "controllers/config.h"
#include "controllers/render.h"
#include "controllers/verdict.h"
#include "crds/effects.h"

namespace berth::controllers {
namespace {

constexpr size_t kMaxWarnings = 64;
constexpr size_t kMaxWarningLength = 1024;

std::string DataOf(const Observed& observed, std::string_view key) {
  if (!observed.config_map) return "";
  const auto found = observed.config_map->data.find(std::string(key));
  return found == observed.config_map->data.end() ? "" : found->second;
}

// The text that the scheduler reported to run becomes the last good one; until it reports, the last
// good one stays.
std::string LastGood(const std::string& config, const Observed& observed) {
  const std::string live = DataOf(observed, api::kConfigKey);
  const std::string last = DataOf(observed, api::kLastGoodKey);
  const SchedulerReport report = ReportOf(observed);
  for (const std::string& text : {config, live}) {
    if (!text.empty() && api::ConfigHash(text) == report.applied_hash) return text;
  }
  return last;
}

// Objects of ours that the plan does not hold any more. A permission goes only once the scheduler
// runs the configuration that does without it, or does not run at all.
std::vector<ObjectKey> Superfluous(const crds::SchedulerProfile& profile, const Observed& observed,
                                   const std::vector<RenderedObject>& wanted,
                                   bool config_is_applied) {
  std::vector<ObjectKey> superfluous;
  for (const auto& [key, object] : observed.objects) {
    const api::OwnerReference* owner = api::ControllerOf(object.metadata);
    if (!owner || owner->uid != profile.metadata.uid) continue;
    if (object.metadata.deletion_timestamp) continue;
    if (std::ranges::find(wanted, key, &RenderedObject::key) != wanted.end()) continue;
    if (key.resource->kind == "ClusterRoleBinding" && !config_is_applied) continue;
    superfluous.push_back(key);
  }
  return superfluous;
}

std::vector<std::string> AllWarnings(const crds::SchedulerProfile& profile, const Verdict& verdict,
                                     const PluginCatalogue& catalogue) {
  std::vector<std::string> warnings = crds::Warnings(profile.spec, catalogue.view());
  for (std::string& warning : PluginWarnings(profile, verdict.effective, catalogue)) {
    warnings.push_back(std::move(warning));
  }
  if (warnings.size() > kMaxWarnings) warnings.resize(kMaxWarnings);
  for (std::string& warning : warnings) {
    if (warning.size() > kMaxWarningLength) warning.resize(kMaxWarningLength);
  }
  return warnings;
}

crds::SchedulerStatus SchedulerStatusOf(const crds::SchedulerProfile& profile,
                                        const Observed& observed, const std::string& config_hash) {
  const SchedulerReport report = ReportOf(observed);
  crds::SchedulerStatus status = profile.status.scheduler;
  status.namespace_ = profile.spec.namespace_;
  status.deployment = ObjectName(profile);
  status.replicas = observed.deployment ? observed.deployment->status.replicas : 0;
  status.ready_replicas = observed.deployment ? observed.deployment->status.ready_replicas : 0;
  status.leader = report.holder;
  if (!config_hash.empty()) status.config_hash = config_hash;
  status.applied_config_hash = report.applied_hash;
  return status;
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

Plan PlanSchedulerProfile(const crds::SchedulerProfile& given, const Observed& observed,
                          const PluginCatalogue& catalogue, const PlanOptions& options, Time now) {
  const crds::SchedulerProfile profile = crds::WithDefaults(given);
  const Verdict verdict = JudgeProfile(profile, observed, catalogue, options.reserved);

  // 1. What there should be.
  Plan plan;
  std::string config_hash;
  if (!verdict.names.empty()) {
    const std::string config = RenderConfig(profile, verdict.names);
    config_hash = api::ConfigHash(config);
    plan.apply = RenderAll({.profile = profile,
                            .config = config,
                            .last_good = LastGood(config, observed),
                            .capabilities = verdict.effective.capabilities,
                            .default_image = options.default_image});
    const SchedulerReport report = ReportOf(observed);
    plan.remove = Superfluous(profile, observed, plan.apply,
                              !report.heard || report.applied_hash == config_hash);
  } else if (verdict.refused && verdict.refused->reason == "NameTaken" && observed.deployment) {
    // Two schedulers of one name would place the same pods: the younger does not run.
    plan.remove = Superfluous(profile, observed, {}, true);
    std::erase_if(plan.remove,
                  [](const ObjectKey& key) { return key.resource->kind != "Deployment"; });
  }

  // 2. What to say about it.
  crds::SchedulerProfileStatus& status = plan.status;
  status = profile.status;
  status.observed_generation = profile.metadata.generation;
  status.conditions = MakeConditions({.profile = profile,
                                      .observed = observed,
                                      .verdict = verdict,
                                      .config_hash = config_hash,
                                      .now = now});
  status.scheduler = SchedulerStatusOf(profile, observed, config_hash);
  if (!verdict.invalid && !verdict.effective.plugins.empty()) {
    status.plugins = verdict.effective.plugins;
    status.plugin_count = static_cast<int32_t>(status.plugins.size());
    status.capabilities = verdict.effective.capabilities;
    status.warnings = AllWarnings(profile, verdict, catalogue);
  }
  plan.events = EventsOf(profile.status.conditions, status.conditions);
  plan.look_again = SilenceBegins(observed);
  return plan;
}

}  // namespace berth::controllers
