// SPDX-License-Identifier: Apache-2.0
#include "controllers/config.h"

#include <fmt/format.h>

#include "api/scheduler_config.h"
#include "api/start_settings.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "controllers/render.h"

namespace berth::controllers {
namespace {

api::LeaderElectionConfiguration ConfigElection(const crds::SchedulerProfile& profile) {
  const crds::LeaderElectionSpec& spec = profile.spec.leader_election;
  api::LeaderElectionConfiguration election;
  election.leader_elect = spec.leader_elect;
  election.lease_duration = spec.lease_duration;
  election.renew_deadline = spec.renew_deadline;
  election.retry_period = spec.retry_period;
  election.resource_name = ObjectName(profile);
  election.resource_namespace = profile.spec.namespace_;
  return election;
}

}  // namespace

std::string NameOfNone(const crds::SchedulerProfile& profile) {
  return "berth.dev/waiting/" + profile.metadata.name;
}

std::string RenderConfig(const crds::SchedulerProfile& profile,
                         std::span<const std::string> names) {
  const crds::SchedulerProfileSpec& spec = profile.spec;
  api::KubeSchedulerConfiguration config;
  config.leader_election = ConfigElection(profile);
  config.percentage_of_nodes_to_score = spec.percentage_of_nodes_to_score;
  config.pod_initial_backoff_seconds = spec.pod_initial_backoff_seconds;
  config.pod_max_backoff_seconds = spec.pod_max_backoff_seconds;
  const auto add = [&](const std::string& name) {
    api::KubeSchedulerProfile served;
    served.scheduler_name = name;
    served.plugins = spec.plugins;
    served.plugin_config = spec.plugin_config;
    config.profiles.push_back(std::move(served));
  };
  // A configuration without a profile would get default-scheduler's.
  if (names.empty()) add(NameOfNone(profile));
  for (const std::string& name : names) add(name);
  return yaml::FromJson(json::Encode(config));
}

std::optional<api::FieldError> CheckConfigSize(std::string_view config) {
  if (config.size() <= kMaxConfigBytes) return std::nullopt;
  return api::FieldError::Forbidden(
      "spec", fmt::format("the rendered configuration has {} bytes, allowed {}: fewer aliases or "
                          "shorter arguments make it smaller",
                          config.size(), kMaxConfigBytes));
}

std::string StartSettingsHashOf(const crds::SchedulerProfile& profile) {
  api::KubeSchedulerConfiguration config;
  config.leader_election = ConfigElection(profile);
  return api::StartSettingsHash(config);
}

}  // namespace berth::controllers
