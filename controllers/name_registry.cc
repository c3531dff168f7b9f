// SPDX-License-Identifier: Apache-2.0
#include "controllers/name_registry.h"

#include <algorithm>
#include <utility>

#include "api/scheduler_config.h"
#include "api/scheduler_contract.h"
#include "controllers/config.h"
#include "controllers/kind_watch.h"
#include "controllers/observed.h"
#include "controllers/plan.h"
#include "controllers/scheduler_state.h"

namespace berth::controllers {
namespace {

bool MayHavePods(const crds::SchedulerProfile& profile, const Observed& observed) {
  if (!observed.namespace_exists) return false;
  if (!observed.sees_namespace || ReportOf(observed).heard) return true;
  if (!observed.deployment) return false;
  // Before a profile goes, --cascade=orphan removes the owner of its objects.
  if (profile.metadata.deletion_timestamp) return true;
  const api::Deployment& deployment = *observed.deployment;
  const api::OwnerReference* owner = api::ControllerOf(deployment.metadata);
  // A client that removes the owner does not end the pods.
  const bool is_ours = owner ? owner->uid == profile.metadata.uid
                             : LooksRendered(deployment.metadata, profile.metadata.name);
  return is_ours && (deployment.spec.replicas != 0 || deployment.status.replicas > 0);
}

void AddNamesIn(const api::ConfigMap& config_map, const crds::SchedulerProfile& profile,
                std::vector<std::string>& names) {
  const auto text = config_map.data.find(std::string(api::kConfigKey));
  if (text == config_map.data.end()) return;
  const auto config = api::LoadSchedulerConfiguration(text->second, api::kConfigKey);
  if (!config) return;
  for (const api::KubeSchedulerProfile& served : config->profiles) {
    const std::string name = served.scheduler_name.value_or("");
    if (name != PlaceholderName(profile)) AddNames({name}, names);
  }
}

// Returns the names in the status and in the ConfigMaps of a profile that was not planned yet. The
// operator may have written a ConfigMap without getting to the status.
std::vector<std::string> NamesWritten(const crds::SchedulerProfile& profile,
                                      const Observed& observed) {
  std::vector<std::string> names = profile.status.scheduler.names;
  for (const auto& config_map : observed.OwnConfigMaps(profile))
    AddNamesIn(*config_map, profile, names);
  return names;
}

// Returns the names after the profile's last plan. Without a plan they are derived from what was
// written.
ServedNames LastNames(const crds::SchedulerProfile& profile, const Observed& observed) {
  const auto planned = observed.names.find(profile.metadata.name);
  if (planned != observed.names.end()) return planned->second;
  return {.in_use = NamesWritten(profile, observed), .given_up = {}};
}

// Returns the names in use once the plan is applied. A scheduler without pods and report serves none
// of the last names.
std::vector<std::string> InUseAfter(const Plan& plan, const Observed& observed,
                                    const ServedNames& last) {
  const bool may_have_pods = MayHavePods(plan.profile, observed);
  const std::vector<std::string> held = may_have_pods ? last.in_use : std::vector<std::string>();
  if (!plan.verdict.IsRendered() || plan.terminating) return held;
  if (plan.profile.spec.suspend && !may_have_pods) return {};
  std::vector<std::string> names = plan.verdict.names.served;
  if (AppliedHash(plan.profile, observed) == plan.config_hash) return names;
  AddNames(held, names);
  return names;
}

}  // namespace

std::vector<std::string> NameRegistry::Planning::Store(const crds::SchedulerProfile& profile,
                                                       ServedNames names) {
  std::vector<std::string> freed = MayServe(profile, registry_.table_);
  std::erase_if(freed, [&names](const std::string& name) { return Contains(names.in_use, name); });
  registry_.table_[profile.metadata.name] = std::move(names);
  return freed;
}

std::vector<std::string> NameRegistry::Release(const std::string& profile) {
  const std::lock_guard lock(mutex_);
  const auto released = table_.extract(profile);
  return released ? released.mapped().in_use : std::vector<std::string>();
}

bool NameRegistry::HasOwner(const std::string& name, const Profiles& all) {
  const std::lock_guard lock(mutex_);
  return OwnerOf(name, all, table_) != nullptr;
}

std::vector<std::string> KeptNames(const crds::SchedulerProfile& profile,
                                   const Observed& observed) {
  if (!MayHavePods(profile, observed)) return {};
  ServedNames last = LastNames(profile, observed);
  std::erase_if(last.in_use,
                [&last](const std::string& name) { return Contains(last.given_up, name); });
  return std::move(last.in_use);
}

ServedNames NamesAfter(const Plan& plan, const Observed& observed) {
  const ServedNames last = LastNames(plan.profile, observed);
  ServedNames after;
  after.in_use = InUseAfter(plan, observed, last);
  const bool is_applied = !plan.paused && !plan.terminating && plan.verdict.IsRendered();
  after.given_up = after.in_use;
  std::erase_if(after.given_up, [&](const std::string& name) {
    return is_applied ? Contains(plan.verdict.names.served, name) : !Contains(last.given_up, name);
  });
  return after;
}

}  // namespace berth::controllers
