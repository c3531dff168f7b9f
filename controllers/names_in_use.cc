// SPDX-License-Identifier: Apache-2.0
#include "controllers/names_in_use.h"

#include <algorithm>

#include "api/scheduler_config.h"
#include "api/scheduler_contract.h"
#include "controllers/config.h"
#include "controllers/scheduler_state.h"

namespace berth::controllers {
namespace {

bool MayHavePods(const crds::SchedulerProfile& profile, const Observed& observed) {
  if (!observed.namespace_exists) return false;
  if (!observed.sees_namespace || ReportOf(observed).heard) return true;
  if (!observed.deployment) return false;
  const api::Deployment& deployment = *observed.deployment;
  const api::OwnerReference* owner = api::ControllerOf(deployment.metadata);
  return owner && owner->uid == profile.metadata.uid &&
         (deployment.spec.replicas != 0 || deployment.status.replicas > 0);
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

// Of a profile that was not planned before: what its status says, and what the texts say that the
// operator wrote, maybe without coming to the status.
std::vector<std::string> NamesWritten(const crds::SchedulerProfile& profile,
                                      const Observed& observed) {
  std::vector<std::string> names = profile.status.scheduler.names;
  for (const auto& config_map : observed.OwnConfigMaps(profile))
    AddNamesIn(*config_map, profile, names);
  return names;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::vector<std::string> HeldNames(const crds::SchedulerProfile& profile,
                                   const Observed& observed) {
  if (!MayHavePods(profile, observed)) return {};
  const auto planned = observed.names_in_use.find(profile.metadata.name);
  return planned == observed.names_in_use.end() ? NamesWritten(profile, observed) : planned->second;
}

std::vector<std::string> KeptNames(const crds::SchedulerProfile& profile,
                                   const Observed& observed) {
  std::vector<std::string> kept = HeldNames(profile, observed);
  std::erase_if(kept, [&observed](const std::string& name) {
    return Contains(observed.names_given_up, name);
  });
  return kept;
}

std::vector<std::string> NamesAfter(const Plan& plan, const Observed& observed) {
  std::vector<std::string> held = HeldNames(plan.profile, observed);
  if (!plan.verdict.IsRendered()) return held;
  if (plan.profile.spec.suspend && !MayHavePods(plan.profile, observed)) return {};
  std::vector<std::string> names = plan.verdict.names.served;
  if (AppliedHash(plan.profile, observed) == plan.config_hash) return names;
  AddNames(held, names);
  return names;
}

std::vector<std::string> NamesGivenUp(const Plan& plan, const Observed& observed) {
  const bool is_carried_out = !plan.paused && plan.verdict.IsRendered();
  std::vector<std::string> given_up = plan.names_in_use;
  std::erase_if(given_up, [&](const std::string& name) {
    return is_carried_out ? Contains(plan.verdict.names.served, name)
                          : !Contains(observed.names_given_up, name);
  });
  return given_up;
}

}  // namespace berth::controllers
