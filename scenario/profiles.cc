// SPDX-License-Identifier: Apache-2.0
#include "scenario/profiles.h"

#include <utility>

#include "scheduler/plugins/registry.h"

namespace berth::scenario {

Result<scheduler::ProfileMap> BuildProfiles(std::vector<api::KubeSchedulerProfile> written,
                                            const scheduler::PluginHandle& handle) {
  api::KubeSchedulerConfiguration config;
  config.profiles = std::move(written);
  api::SetDefaults(config);
  if (const auto errors = api::Validate(config); !errors.empty()) {
    return ConfigError(api::Aggregate(errors));
  }
  return scheduler::CreateProfiles(config.profiles, config.percentage_of_nodes_to_score,
                                   scheduler::MakeRegistry(), handle);
}

}  // namespace berth::scenario
