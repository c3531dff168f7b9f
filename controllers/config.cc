// SPDX-License-Identifier: Apache-2.0
#include "controllers/config.h"

#include <fmt/format.h>

#include "api/outbound_address.h"
#include "api/scheduler_config.h"
#include "api/scheduler_contract.h"
#include "api/start_settings.h"
#include "base/json/json.h"
#include "base/names.h"
#include "base/yaml/yaml.h"
#include "controllers/render.h"

namespace berth::controllers {
namespace {

api::LeaderElectionConfiguration ConfigElection(const crds::SchedulerProfile& profile) {
  const crds::LeaderElectionSpec& spec = profile.spec.leader_election;
  api::LeaderElectionConfiguration election;
  election.leader_elect = spec.leader_elect || profile.spec.engine.IsKubeScheduler();
  election.lease_duration = spec.lease_duration;
  election.renew_deadline = spec.renew_deadline;
  election.retry_period = spec.retry_period;
  election.resource_name = ObjectName(profile);
  election.resource_namespace = profile.spec.namespace_;
  return election;
}

// The Secret provides the client certificate, and the CA bundle unless the profile sets one.
api::ExtenderTlsConfig ConfigTls(const crds::ExtenderTls& tls) {
  api::ExtenderTlsConfig rendered = tls;
  if (tls.secret_name.empty()) return rendered;
  rendered.cert_file = api::FileOfSecret(tls.secret_name, "tls.crt");
  rendered.key_file = api::FileOfSecret(tls.secret_name, "tls.key");
  if (tls.ca_data.empty() && tls.ca_file.empty() && !tls.insecure) {
    rendered.ca_file = api::FileOfSecret(tls.secret_name, "ca.crt");
  }
  return rendered;
}

api::Extender ConfigExtender(const crds::Extender& extender) {
  api::Extender rendered{extender, extender.weight, std::nullopt};
  if (extender.tls_config) rendered.tls_config = ConfigTls(*extender.tls_config);
  return rendered;
}

api::KubeSchedulerConfiguration ConfigOf(const crds::SchedulerProfile& profile,
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
  // A configuration without a profile would get that of default-scheduler.
  if (names.empty()) add(PlaceholderName(profile));
  for (const std::string& name : names) add(name);
  for (const crds::Extender& extender : spec.extenders) {
    config.extenders.push_back(ConfigExtender(extender));
  }
  return config;
}

std::string TextOf(const api::KubeSchedulerConfiguration& config) {
  return yaml::FromJson(json::Encode(config));
}

}  // namespace

std::string PlaceholderName(const crds::SchedulerProfile& profile) {
  return "berth.dev/waiting/" + profile.metadata.name;
}

std::string RenderConfig(const crds::SchedulerProfile& profile,
                         std::span<const std::string> names) {
  return TextOf(ConfigOf(profile, names));
}

std::vector<api::FieldError> CheckConfig(const crds::SchedulerProfile& profile,
                                         std::span<const std::string> names) {
  api::KubeSchedulerConfiguration config = ConfigOf(profile, names);
  const size_t size = TextOf(config).size();
  if (size > kMaxConfigBytes) {
    return {api::FieldError::Forbidden(
        "spec", fmt::format("the rendered configuration has {} bytes, allowed {}: fewer aliases or "
                            "shorter arguments make it smaller",
                            size, kMaxConfigBytes))};
  }
  if (!profile.spec.engine.IsKubeScheduler()) return {};
  api::SetDefaults(config);
  std::vector<api::FieldError> errors = api::Validate(config);
  for (api::FieldError& error : errors) error.path = api::Child("spec", error.path);
  return errors;
}

bool IsVersioned(const crds::SchedulerProfile& profile) {
  return profile.spec.engine.IsKubeScheduler() ||
         profile.spec.rollout.strategy == crds::RolloutSpec::kRestart;
}

std::string ConfigHashOf(const crds::SchedulerProfile& profile, std::string_view config) {
  if (!profile.spec.engine.IsKubeScheduler()) return api::ConfigHash(config);
  return HashHex(fmt::format("{}\n{}", profile.spec.engine.type, config));
}

std::string WantedVersion(const crds::SchedulerProfile& profile, std::string_view config_hash) {
  return IsVersioned(profile) ? std::string(config_hash) : "";
}

std::string ConfigMapName(const crds::SchedulerProfile& profile, std::string_view version) {
  const std::string name = ObjectName(profile);
  return version.empty() ? name : fmt::format("{}-{}", name, version);
}

std::string StartSettingsHashOf(const crds::SchedulerProfile& profile) {
  api::KubeSchedulerConfiguration config;
  config.leader_election = ConfigElection(profile);
  return api::StartSettingsHash(config);
}

}  // namespace berth::controllers
