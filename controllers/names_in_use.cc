// SPDX-License-Identifier: Apache-2.0
#include "controllers/names_in_use.h"

#include "api/scheduler_config.h"
#include "api/scheduler_contract.h"
#include "controllers/conditions.h"
#include "controllers/config.h"

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

// Of a profile that was not planned before: what its status says, and what the text says that the
// operator wrote last, maybe without coming to the status.
std::vector<std::string> NamesWritten(const crds::SchedulerProfile& profile,
                                      const Observed& observed) {
  std::vector<std::string> names = profile.status.scheduler.names;
  if (!observed.config_map) return names;
  const auto text = observed.config_map->data.find(std::string(api::kConfigKey));
  if (text == observed.config_map->data.end()) return names;
  const auto config = api::LoadSchedulerConfiguration(text->second, api::kConfigKey);
  if (!config) return names;
  for (const api::KubeSchedulerProfile& served : config->profiles) {
    const std::string name = served.scheduler_name.value_or("");
    if (name != NameOfNone(profile)) AddNames({name}, names);
  }
  return names;
}

}  // namespace

std::vector<std::string> HeldNames(const crds::SchedulerProfile& profile,
                                   const Observed& observed) {
  if (!MayHavePods(profile, observed)) return {};
  const auto planned = observed.names_in_use.find(profile.metadata.name);
  return planned == observed.names_in_use.end() ? NamesWritten(profile, observed) : planned->second;
}

std::vector<std::string> NamesAfter(const Plan& plan, const Observed& observed) {
  std::vector<std::string> held = HeldNames(plan.profile, observed);
  if (!plan.verdict.IsRendered()) return held;
  if (plan.profile.spec.suspend && !MayHavePods(plan.profile, observed)) return {};
  std::vector<std::string> names = plan.verdict.names.served;
  if (ReportOf(observed).applied_hash == plan.config_hash) return names;
  AddNames(held, names);
  return names;
}

}  // namespace berth::controllers
