// SPDX-License-Identifier: Apache-2.0
#include "controllers/plan.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/scheduler_contract.h"
#include "controllers/conditions.h"
#include "controllers/config.h"
#include "controllers/names_in_use.h"
#include "controllers/render.h"
#include "crds/effects.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kYes = "true";

// "" where the profile does not say.
std::string_view PausedSaid(const crds::SchedulerProfile& profile) {
  const auto found = profile.metadata.annotations.find(std::string(crds::kPausedAnnotation));
  return found == profile.metadata.annotations.end() ? std::string_view() : found->second;
}

std::string DataOf(const Observed& observed, std::string_view key) {
  if (!observed.config_map) return "";
  const auto found = observed.config_map->data.find(std::string(key));
  return found == observed.config_map->data.end() ? "" : found->second;
}

// The text that the scheduler reported to run becomes the last good one; until it reports, the last
// good one stays.
std::string LastGood(const std::string& config, const Observed& observed) {
  const std::string live = DataOf(observed, api::kConfigKey);
  std::string last = DataOf(observed, api::kLastGoodKey);
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
    const api::OwnerReference* owner = api::ControllerOf(object.metadata());
    if (!owner || owner->uid != profile.metadata.uid) continue;
    if (object.metadata().deletion_timestamp) continue;
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
  const std::string_view paused = PausedSaid(profile);
  if (!paused.empty() && paused != kYes) {
    warnings.push_back(fmt::format(
        "metadata.annotations[{}]: found \"{}\", allowed: \"{}\"; the profile is not paused",
        crds::kPausedAnnotation, paused, kYes));
  }
  return warnings;
}

}  // namespace

Plan PlanObjects(const crds::SchedulerProfile& given, const Observed& observed,
                 const PluginCatalogue& catalogue, const PlanOptions& options) {
  Plan plan{.profile = crds::WithDefaults(given)};
  const crds::SchedulerProfile& profile = plan.profile;
  plan.paused = PausedSaid(profile) == kYes;
  plan.verdict = JudgeProfile(profile, observed, catalogue, options.allowances);
  const Verdict& verdict = plan.verdict;
  if (!verdict.effective.plugins.empty()) plan.warnings = AllWarnings(profile, verdict, catalogue);

  if (verdict.IsRendered()) {
    const std::string config = RenderConfig(profile, verdict.names.served);
    plan.config_hash = api::ConfigHash(config);
    plan.apply = RenderAll({.profile = profile,
                            .config = config,
                            .last_good = LastGood(config, observed),
                            .capabilities = verdict.effective.capabilities,
                            .default_image = options.default_image,
                            .api_server_ports = PortsToApiServer(options.api_server_ports,
                                                                 observed.api_server_ports)});
    const SchedulerReport report = ReportOf(observed);
    plan.remove = Superfluous(profile, observed, plan.apply,
                              !report.heard || report.applied_hash == plan.config_hash);
  }
  plan.names_in_use = NamesAfter(plan, observed);
  return plan;
}

}  // namespace berth::controllers
