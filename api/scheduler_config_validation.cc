// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "api/container.h"
#include "api/scheduler_config.h"
#include "base/json/json.h"
#include "base/names.h"

namespace berth::api {
namespace {

using Errors = std::vector<FieldError>;

// Plugins of earlier versions that v1 rejects by name.
constexpr std::array<std::string_view, 4> kRemovedPlugins = {"AzureDiskLimits", "CinderLimits",
                                                             "EBSLimits", "GCEPDLimits"};

bool IsRemoved(std::string_view plugin) {
  return std::find(kRemovedPlugins.begin(), kRemovedPlugins.end(), plugin) != kRemovedPlugins.end();
}

FieldError Removed(std::string path, std::string_view plugin) {
  const std::string version(kSchedulerConfigVersion);
  return FieldError::Invalid(std::move(path), plugin,
                             "was invalid in version \"" + version +
                                 "\" (KubeSchedulerConfiguration is version \"" + version + "\")");
}

void CheckLeaderElection(const LeaderElectionConfiguration& election, Errors& errors) {
  if (!election.leader_elect) return;
  const std::string path = "leaderElection";
  const auto positive = [&](std::string_view name, const Duration& duration) {
    if (duration.length().count() > 0) return;
    errors.push_back(
        FieldError::Invalid(Child(path, name), duration.ToString(), "must be greater than zero"));
  };
  positive("leaseDuration", election.lease_duration);
  positive("renewDeadline", election.renew_deadline);
  positive("retryPeriod", election.retry_period);
  if (election.lease_duration <= election.renew_deadline) {
    // As upstream, the error shows the other field's value.
    errors.push_back(FieldError::Invalid(Child(path, "leaseDuration"),
                                         election.renew_deadline.ToString(),
                                         "must be greater than `RenewDeadline`"));
  }
  const auto required = [&](std::string_view name, const std::string& value) {
    if (value.empty()) errors.push_back(FieldError::Required(Child(path, name)));
  };
  required("resourceLock", election.resource_lock);
  required("resourceNamespace", election.resource_namespace);
  required("resourceName", election.resource_name);
  if (election.resource_lock != "leases") {
    errors.push_back(FieldError::Invalid(Child(path, "resourceLock"), election.resource_lock,
                                         "resourceLock value must be \"leases\""));
  }
}

void CheckPercentage(std::string path, int32_t percentage, Errors& errors) {
  if (percentage >= 0 && percentage <= 100) return;
  errors.push_back(FieldError::Invalid(std::move(path), percentage, "not in valid range [0-100]"));
}

void CheckPluginConfig(const std::string& path, const KubeSchedulerProfile& profile,
                       Errors& errors) {
  std::set<std::string_view> seen;
  for (size_t i = 0; i < profile.plugin_config.size(); ++i) {
    const std::string& name = profile.plugin_config[i].name;
    const std::string entry = Index(Child(path, "pluginConfig"), i);
    if (!seen.insert(name).second) errors.push_back(FieldError::Duplicate(entry, name));
    if (IsRemoved(name)) errors.push_back(Removed(entry, name));
  }
}

void CheckProfile(const std::string& path, const KubeSchedulerProfile& profile, Errors& errors) {
  if (profile.scheduler_name.value_or("").empty()) {
    errors.push_back(FieldError::Required(Child(path, "schedulerName")));
  }
  CheckPercentage(Child(path, "percentageOfNodesToScore"),
                  profile.percentage_of_nodes_to_score.value_or(0), errors);
  const std::string plugins_path = Child(path, "plugins");
  for (const PluginPoint& point : kPluginPoints) {
    // Upstream only checks the classic points.
    if (point.set == &Plugins::multi_point || point.set == &Plugins::placement_generate ||
        point.set == &Plugins::placement_score) {
      continue;
    }
    const std::vector<Plugin>& enabled = (profile.plugins.*point.set).enabled;
    for (size_t i = 0; i < enabled.size(); ++i) {
      if (!IsRemoved(enabled[i].name)) continue;
      errors.push_back(
          Removed(Index(Child(Child(plugins_path, point.name), "enabled"), i), enabled[i].name));
    }
  }
  CheckPluginConfig(path, profile, errors);
}

const PluginConfig* FindConfig(const KubeSchedulerProfile& profile, std::string_view plugin) {
  const auto found = std::find_if(profile.plugin_config.begin(), profile.plugin_config.end(),
                                  [&](const PluginConfig& entry) { return entry.name == plugin; });
  return found == profile.plugin_config.end() ? nullptr : &*found;
}

// Arguments are equal if their JSON is, regardless of key order.
std::string Canonical(const PluginConfig* config) {
  return config == nullptr ? std::string() : json::Encode(config->args);
}

// All profiles share one queue, so their queue sort plugin must be the same.
void CheckQueueSort(const std::vector<KubeSchedulerProfile>& profiles, Errors& errors) {
  const PluginSet& first = profiles[0].plugins.queue_sort;
  if (first.enabled.size() > 1) {
    errors.push_back(FieldError::Invalid("profiles[0].plugins.queueSort.Enabled",
                                         first.enabled.size(),
                                         std::string(Plugins::kOneQueueSort)));
  }
  const std::string plugin = first.enabled.empty() ? std::string() : first.enabled[0].name;
  const std::string args = Canonical(FindConfig(profiles[0], plugin));
  for (size_t i = 1; i < profiles.size(); ++i) {
    const std::string path = Index("profiles", i);
    const PluginSet& current = profiles[i].plugins.queue_sort;
    if (current != first) {
      errors.push_back(FieldError::InvalidJson(Child(path, "plugins.queueSort"),
                                               json::Encode(current),
                                               "must be the same for all profiles"));
    }
    const PluginConfig* config = FindConfig(profiles[i], plugin);
    if (!plugin.empty() && config != nullptr && Canonical(config) != args) {
      errors.push_back(FieldError::InvalidJson(Child(path, "pluginConfig.args"), Canonical(config),
                                               "queueSort must be the same for all profiles"));
    }
  }
}

void CheckProfiles(const std::vector<KubeSchedulerProfile>& profiles, Errors& errors) {
  if (profiles.empty()) {
    errors.push_back(FieldError::Required("profiles"));
    return;
  }
  std::map<std::string, size_t> names;
  for (size_t i = 0; i < profiles.size(); ++i) {
    const std::string path = Index("profiles", i);
    CheckProfile(path, profiles[i], errors);
    const auto [earlier, first_use] = names.emplace(profiles[i].scheduler_name.value_or(""), i);
    if (!first_use) {
      errors.push_back(
          FieldError::Duplicate(Child(path, "schedulerName"),
                                Child(Index("profiles", earlier->second), "schedulerName")));
      earlier->second = i;
    }
  }
  CheckQueueSort(profiles, errors);
}

void CheckManagedResource(const std::string& path, const std::string& name,
                          std::set<std::string>& seen, Errors& errors) {
  const std::vector<std::string> wrong = CheckQualifiedName(name);
  for (const std::string& message : wrong) {
    errors.push_back(FieldError::Invalid(path, name, message));
  }
  if (wrong.empty() && !IsExtendedResourceName(name)) {
    errors.push_back(FieldError::Invalid(path, name, "is an invalid extended resource name"));
  }
  if (!seen.insert(name).second) {
    errors.push_back(FieldError::Invalid(path, name, "duplicate extender managed resource name"));
  }
}

void CheckExtenders(const std::vector<Extender>& extenders, Errors& errors) {
  size_t binders = 0;
  std::set<std::string> managed;
  for (size_t i = 0; i < extenders.size(); ++i) {
    const Extender& extender = extenders[i];
    const std::string path = Index("extenders", i);
    if (!extender.prioritize_verb.empty() && extender.weight <= 0) {
      errors.push_back(FieldError::Invalid(Child(path, "weight"), extender.weight,
                                           std::string(Extender::kWeightNeeded)));
    }
    if (!extender.bind_verb.empty()) ++binders;
    for (size_t j = 0; j < extender.managed_resources.size(); ++j) {
      CheckManagedResource(Child(Index(Child(path, "managedResources"), j), "name"),
                           extender.managed_resources[j].name, managed, errors);
    }
  }
  if (binders > 1) {
    errors.push_back(FieldError::Invalid(
        "extenders", "found " + std::to_string(binders) + " extenders implementing bind",
        std::string(Extender::kOneBinds)));
  }
}

}  // namespace

std::vector<FieldError> Validate(const KubeSchedulerConfiguration& config) {
  Errors errors;
  if (config.client_connection.burst < 0) {
    errors.push_back(FieldError::Invalid("clientConnection.burst", config.client_connection.burst,
                                         "must be non-negative"));
  }
  CheckLeaderElection(config.leader_election, errors);
  if (config.parallelism <= 0) {
    errors.push_back(FieldError::Invalid("parallelism", config.parallelism,
                                         "should be an integer value greater than zero"));
  }
  CheckProfiles(config.profiles, errors);
  CheckPercentage("percentageOfNodesToScore", config.percentage_of_nodes_to_score, errors);
  if (config.pod_initial_backoff_seconds <= 0) {
    errors.push_back(FieldError::Invalid(
        "podInitialBackoffSeconds", config.pod_initial_backoff_seconds, "must be greater than 0"));
  }
  if (config.pod_max_backoff_seconds < config.pod_initial_backoff_seconds) {
    errors.push_back(
        FieldError::Invalid("podMaxBackoffSeconds", config.pod_max_backoff_seconds,
                            "must be greater than or equal to PodInitialBackoffSeconds"));
  }
  CheckExtenders(config.extenders, errors);
  return errors;
}

}  // namespace berth::api
