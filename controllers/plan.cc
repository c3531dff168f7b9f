// SPDX-License-Identifier: Apache-2.0
#include "controllers/plan.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/scheduler_contract.h"
#include "base/json/field_path.h"
#include "controllers/config.h"
#include "controllers/name_registry.h"
#include "controllers/render.h"
#include "controllers/scheduler_state.h"
#include "crds/effects.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

constexpr size_t kKeptVersions = 3;

// Returns the value of the pause annotation; "" if it is not set.
std::string_view PausedValue(const crds::SchedulerProfile& profile) {
  const auto found = profile.metadata.annotations.find(std::string(api::kPausedAnnotation));
  return found == profile.metadata.annotations.end() ? std::string_view() : found->second;
}

std::string DataOf(const Observed& observed, std::string_view key) {
  if (!observed.config_map) return "";
  const auto found = observed.config_map->data.find(std::string(key));
  return found == observed.config_map->data.end() ? "" : found->second;
}

// Returns the configuration that the scheduler runs; until it reports one, the previous last good
// one. A client that may write the ConfigMap may have written any text, so only texts count whose
// hash the operator has recorded in the status.
std::string LastGood(const crds::SchedulerProfile& profile, const std::string& config,
                     const Observed& observed) {
  const std::string runs =
      RenderedHash(profile, api::ConfigHash(config), ReportOf(observed).applied_hash);
  for (const std::string& text :
       {config, DataOf(observed, api::kConfigKey), DataOf(observed, api::kLastGoodKey)}) {
    if (!text.empty() && api::ConfigHash(text) == runs) return text;
  }
  return "";
}

// Reports whether no pod runs another configuration than the plan's.
bool IsAlone(const Plan& plan, const Observed& observed) {
  if (AppliedHash(plan.profile, observed) == plan.config_hash) return true;
  return !ReportOf(observed).heard &&
         !HasPodsOfOtherVersion(WantedVersion(plan.profile, plan.config_hash), observed);
}

// Returns the names of the newest versions' ConfigMaps by creation time, including the plan's.
std::set<std::string> NewestVersions(const Plan& plan, const Observed& observed) {
  std::vector<std::pair<Time, std::string>> versions;
  for (const auto& config_map : observed.OwnConfigMaps(plan.profile)) {
    if (config_map->immutable.value_or(false)) {
      versions.emplace_back(config_map->metadata.creation_timestamp, config_map->metadata.name);
    }
  }
  std::ranges::sort(versions, std::greater());
  std::set<std::string> newest{ConfigMapName(plan.profile, plan.config_hash)};
  for (const auto& [made, name] : versions) {
    if (newest.size() < kKeptVersions) newest.insert(name);
  }
  return newest;
}

// Returns the ConfigMaps that a pod may start with: those of the existing pods; those that a
// ReplicaSet may create pods for until the plan's configuration runs; and the newest versions, for
// a rollback of the Deployment.
std::set<std::string> KeptConfigMaps(const Plan& plan, const Observed& observed) {
  const crds::SchedulerProfile& profile = plan.profile;
  std::set<std::string> kept;
  if (IsVersioned(profile)) kept = NewestVersions(plan, observed);
  for (const auto& pod : observed.pods) {
    kept.insert(ConfigMapName(profile, VersionOf(pod->metadata)));
  }
  if (!IsAlone(plan, observed)) {
    kept.insert(ObjectName(profile));
    kept.insert(ConfigMapName(profile, profile.status.scheduler.applied_config_hash));
    if (observed.deployment) {
      kept.insert(ConfigMapName(profile, VersionOf(observed.deployment->spec.template_.metadata)));
    }
  }
  return kept;
}

// Returns the profile's objects that are not in the plan. A binding is removed only when no pod
// runs the previous configuration, a ConfigMap only when no pod may start with it.
std::vector<ObjectKey> ObjectsToDelete(const Plan& plan, const Observed& observed) {
  const bool is_alone = IsAlone(plan, observed);
  const std::set<std::string> kept = KeptConfigMaps(plan, observed);
  std::vector<ObjectKey> superfluous;
  for (const auto& [key, object] : observed.objects) {
    const api::OwnerReference* owner = api::ControllerOf(object.metadata());
    if (!owner || owner->uid != plan.profile.metadata.uid) continue;
    if (object.metadata().deletion_timestamp) continue;
    if (std::ranges::find(plan.apply, key, &RenderedObject::key) != plan.apply.end()) continue;
    if (key.resource->kind == api::ClusterRoleBinding::kResource.kind && !is_alone) continue;
    if (key.resource->kind == api::ConfigMap::kResource.kind && kept.contains(key.name)) continue;
    superfluous.push_back(key);
  }
  return superfluous;
}

}  // namespace

Plan PlanObjects(const crds::SchedulerProfile& given, const Observed& observed,
                 const PluginCatalogue& catalogue, const PlanOptions& options) {
  Plan plan{.profile = crds::WithDefaults(given), .operator_namespace = options.operator_namespace};
  const crds::SchedulerProfile& profile = plan.profile;
  plan.terminating = profile.metadata.deletion_timestamp.has_value();
  plan.paused = PausedValue(profile) == api::kPausedValue;
  const KubeSchedulerChoice kube_scheduler =
      ChooseKubeScheduler(profile.spec, options.kube_scheduler_image, observed.api_server_version);
  plan.verdict =
      JudgeProfile(profile, observed, catalogue, options.allowances, kube_scheduler.rejections);
  const Verdict& verdict = plan.verdict;
  if (verdict.IsRead()) {
    plan.warnings = WarningsOf(profile, verdict.effective, catalogue, kube_scheduler);
  }

  if (verdict.IsRendered()) {
    const std::string config = RenderConfig(profile, verdict.names.served);
    plan.config_hash = ConfigHashOf(profile, config);
    plan.names = NamesAfter(plan, observed);
    // The stock kube-scheduler image supports several architectures.
    const DefaultImage default_image = profile.spec.engine.IsKubeScheduler()
                                           ? DefaultImage{.name = kube_scheduler.image}
                                           : options.default_image;
    plan.apply = RenderAll(
        {.profile = profile,
         .config = config,
         .version = WantedVersion(profile, plan.config_hash),
         .last_good = LastGood(profile, config, observed),
         .capabilities = verdict.effective.capabilities,
         .names = plan.names.in_use,
         .default_image = default_image,
         .api_server_ports = PortsToApiServer(options.api_server_ports, observed.api_server_ports),
         .health_paths = kube_scheduler.health_paths});
    plan.remove = ObjectsToDelete(plan, observed);
  } else {
    plan.names = NamesAfter(plan, observed);
  }
  return plan;
}

std::vector<api::FieldWarning> WarningsOf(const crds::SchedulerProfile& profile,
                                          const Effective& effective,
                                          const PluginCatalogue& catalogue,
                                          const KubeSchedulerChoice& kube_scheduler) {
  std::vector<api::FieldWarning> warnings = crds::Warnings(profile.spec);
  std::ranges::copy(kube_scheduler.warnings, std::back_inserter(warnings));
  std::ranges::move(PluginWarnings(profile, effective, catalogue), std::back_inserter(warnings));
  const std::string_view paused = PausedValue(profile);
  if (!paused.empty() && paused != api::kPausedValue) {
    warnings.push_back({json::MapEntryPath("metadata.annotations", api::kPausedAnnotation),
                        fmt::format("found \"{}\", allowed: \"{}\"; the profile is not paused",
                                    paused, api::kPausedValue)});
  }
  return warnings;
}

}  // namespace berth::controllers
