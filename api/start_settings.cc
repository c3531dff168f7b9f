// SPDX-License-Identifier: Apache-2.0
#include "api/start_settings.h"

#include "base/names.h"

namespace berth::api {
namespace {

using Config = KubeSchedulerConfiguration;

std::string Text(bool value) { return value ? "true" : "false"; }
std::string Text(const std::string& value) { return value; }
std::string Text(const Duration& value) { return value.ToString(); }

// Returns the setting for a part of the configuration and a member of that part.
template <auto kPart, auto kMember>
constexpr StartSetting Setting(std::string_view path) {
  return {path, [](const Config& config) { return Text(config.*kPart.*kMember); },
          [](const Config& from, Config& to) { to.*kPart.*kMember = from.*kPart.*kMember; }};
}

using Election = LeaderElectionConfiguration;
constexpr auto kElection = &Config::leader_election;

constexpr StartSetting kSettings[] = {
    Setting<kElection, &Election::leader_elect>("leaderElection.leaderElect"),
    Setting<kElection, &Election::lease_duration>("leaderElection.leaseDuration"),
    Setting<kElection, &Election::renew_deadline>("leaderElection.renewDeadline"),
    Setting<kElection, &Election::retry_period>("leaderElection.retryPeriod"),
    Setting<kElection, &Election::resource_name>("leaderElection.resourceName"),
    Setting<kElection, &Election::resource_namespace>("leaderElection.resourceNamespace"),
    Setting<&Config::client_connection, &ClientConnectionConfiguration::kubeconfig>(
        "clientConnection.kubeconfig"),
};

}  // namespace

std::span<const StartSetting> StartSettings() { return kSettings; }

std::string StartSettingsHash(const Config& config) {
  std::string text;
  for (const StartSetting& setting : kSettings) {
    text += std::string(setting.path) + "=" + setting.show(config) + "\n";
  }
  return HashHex(text);
}

}  // namespace berth::api
