// SPDX-License-Identifier: Apache-2.0
#include "api/scheduler_config.h"

#include "base/json/json.h"
#include "base/yaml/yaml.h"

namespace berth::api {
namespace {

constexpr std::string_view kKind = "KubeSchedulerConfiguration";

// CheckIdentity says what a document is when it is not a configuration we read: upstream's words,
// and what to do.
Result<void> CheckIdentity(const json::Identity& found) {
  const std::string expected =
      "; the file must begin with \"apiVersion: " + std::string(kSchedulerConfigVersion) +
      "\" and \"kind: " + std::string(kKind) + "\"";
  if (found.kind.empty()) return ConfigError("Object 'Kind' is missing" + expected);
  if (found.api_version.empty()) return ConfigError("Object 'apiVersion' is missing" + expected);
  if (found.api_version != kSchedulerConfigVersion) {
    std::string advice = expected;
    if (found.kind == kKind && found.api_version.starts_with("kubescheduler.config.k8s.io/v1")) {
      advice += "; move the content to version v1, older versions are no longer served";
    }
    return ConfigError("no kind \"" + found.kind + "\" is registered for version \"" +
                       found.api_version + "\"" + advice);
  }
  if (found.kind != kKind) {
    return ConfigError("couldn't decode as KubeSchedulerConfiguration, got " + found.api_version +
                       ", Kind=" + found.kind + expected);
  }
  return {};
}

Result<KubeSchedulerConfiguration> Load(std::string_view text) {
  BERTH_TRY(const std::string document, yaml::ToJson(text));
  if (document == "null") return ConfigError("the file is empty");
  BERTH_TRY(const json::Identity identity, json::Decode<json::Identity>(document));
  BERTH_TRY_VOID(CheckIdentity(identity));
  auto config = json::Decode<KubeSchedulerConfiguration>(document, json::Mode::kStrict);
  if (!config) return Fail(config.error().With("strict decoding error"));
  SetDefaults(*config);
  return config;
}

}  // namespace

Result<KubeSchedulerConfiguration> LoadSchedulerConfiguration(std::string_view yaml_or_json,
                                                              std::string_view source_name) {
  auto config = Load(yaml_or_json);
  if (!config) return Fail(config.error().With(source_name));
  return config;
}

void SetDefaults(KubeSchedulerConfiguration& config) {
  if (config.profiles.empty()) config.profiles.emplace_back();
  if (config.profiles.size() == 1 && !config.profiles[0].scheduler_name) {
    config.profiles[0].scheduler_name = kDefaultSchedulerName;
  }

  const auto fill = [](auto& member, const auto& value) {
    if (member == std::decay_t<decltype(member)>{}) member = value;
  };
  const LeaderElectionConfiguration election;
  fill(config.leader_election.lease_duration, election.lease_duration);
  fill(config.leader_election.renew_deadline, election.renew_deadline);
  fill(config.leader_election.retry_period, election.retry_period);
  fill(config.leader_election.resource_lock, election.resource_lock);
  fill(config.leader_election.resource_name, election.resource_name);
  fill(config.leader_election.resource_namespace, election.resource_namespace);

  const ClientConnectionConfiguration connection;
  fill(config.client_connection.content_type, connection.content_type);
  fill(config.client_connection.qps, connection.qps);
  fill(config.client_connection.burst, connection.burst);

  if (config.enable_profiling && !config.enable_contention_profiling) {
    config.enable_contention_profiling = true;
  }
  for (Extender& extender : config.extenders) {
    fill(extender.http_timeout, Duration(std::chrono::seconds(5)));
  }
}

}  // namespace berth::api

BERTH_JSON_INSTANTIATE(berth::api::KubeSchedulerConfiguration);
BERTH_JSON_INSTANTIATE(berth::api::Plugins);
