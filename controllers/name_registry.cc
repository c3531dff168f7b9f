// SPDX-License-Identifier: Apache-2.0
#include "controllers/name_registry.h"

#include <algorithm>
#include <utility>

#include "api/scheduler_config.h"
#include "api/scheduler_contract.h"
#include "controllers/config.h"
#include "controllers/observed.h"
#include "controllers/plan.h"
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

// Returns the names in the status and in the ConfigMaps of a profile that was not planned yet. The
// operator may have written a ConfigMap without getting to the status.
std::vector<std::string> NamesWritten(const crds::SchedulerProfile& profile,
                                      const Observed& observed) {
  std::vector<std::string> names = profile.status.scheduler.names;
  for (const auto& config_map : observed.OwnConfigMaps(profile))
    AddNamesIn(*config_map, profile, names);
  return names;
}

std::vector<std::string> NamesInUse(const crds::SchedulerProfile& profile,
                                    const Observed& observed) {
  const auto planned = observed.names.find(profile.metadata.name);
  return planned == observed.names.end() ? NamesWritten(profile, observed) : planned->second.in_use;
}

// Returns the names that the last plan gave up.
std::vector<std::string> LastGivenUp(const crds::SchedulerProfile& profile,
                                     const Observed& observed) {
  const auto planned = observed.names.find(profile.metadata.name);
  return planned == observed.names.end() ? std::vector<std::string>() : planned->second.given_up;
}

// Returns the names that the profile's scheduler may serve now: none if it has no pods and sends no
// report.
std::vector<std::string> HeldNames(const crds::SchedulerProfile& profile,
                                   const Observed& observed) {
  return MayHavePods(profile, observed) ? NamesInUse(profile, observed)
                                        : std::vector<std::string>();
}

std::vector<std::string> InUseAfter(const Plan& plan, const Observed& observed) {
  std::vector<std::string> held = HeldNames(plan.profile, observed);
  if (!plan.verdict.IsRendered()) return held;
  if (plan.profile.spec.suspend && !MayHavePods(plan.profile, observed)) return {};
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
  std::vector<std::string> kept = HeldNames(profile, observed);
  const std::vector<std::string> given_up = LastGivenUp(profile, observed);
  std::erase_if(kept, [&given_up](const std::string& name) { return Contains(given_up, name); });
  return kept;
}

ServedNames NamesAfter(const Plan& plan, const Observed& observed) {
  ServedNames after{.in_use = InUseAfter(plan, observed), .given_up = {}};
  const bool is_applied = !plan.paused && plan.verdict.IsRendered();
  const std::vector<std::string> last = LastGivenUp(plan.profile, observed);
  after.given_up = after.in_use;
  std::erase_if(after.given_up, [&](const std::string& name) {
    return is_applied ? Contains(plan.verdict.names.served, name) : !Contains(last, name);
  });
  return after;
}

}  // namespace berth::controllers
