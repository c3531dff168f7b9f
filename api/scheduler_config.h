// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "api/meta.h"
#include "base/error.h"
#include "base/time.h"

// KubeSchedulerConfiguration v1, the configuration file of a scheduler. Source:
// k8s.io/kube-scheduler config/v1/types.go (the types); kube-scheduler
// pkg/scheduler/apis/config/v1/defaults.go, SetDefaults_KubeSchedulerConfiguration;
// pkg/scheduler/apis/config/validation/validation.go. Where upstream has a pointer with a default,
// the member is initialised with the default. Absent and null keep it; Validate checks any other
// value.
//
// SchedulerProfile (crds/) uses the same structs for plugins and extenders. Their descriptions
// contain the profile's documentation, bounds and rules, which decoding ignores.
namespace berth::api {

inline constexpr std::string_view kSchedulerConfigVersion = "kubescheduler.config.k8s.io/v1";
inline constexpr std::string_view kDefaultSchedulerName = "default-scheduler";

struct Plugin {
  std::string name;
  int32_t weight = 0;

  bool operator==(const Plugin&) const = default;
  static const json::Type& JsonType();
};

// DisabledPlugin names a plugin of the default profile, or "*" for all. A weight is accepted and
// ignored.
struct DisabledPlugin {
  std::string name;
  int32_t weight = 0;

  bool operator==(const DisabledPlugin&) const = default;
  static const json::Type& JsonType();
};

struct PluginSet {
  std::vector<Plugin> enabled;
  std::vector<DisabledPlugin> disabled;

  bool operator==(const PluginSet&) const = default;
  static const json::Type& JsonType();
};

// Plugins has a set for each extension point. multiPoint applies to every point that a plugin
// implements.
struct Plugins {
  PluginSet multi_point;
  PluginSet pre_enqueue;
  PluginSet queue_sort;
  PluginSet pre_filter;
  PluginSet filter;
  PluginSet post_filter;
  PluginSet pre_score;
  PluginSet score;
  PluginSet reserve;
  PluginSet permit;
  PluginSet pre_bind;
  PluginSet bind;
  PluginSet post_bind;
  PluginSet placement_generate;
  PluginSet placement_score;
  PluginSet pod_group_post_filter;

  static constexpr std::string_view kOneQueueSort = "only one queue sort plugin can be enabled";

  bool operator==(const Plugins&) const = default;
  static const json::Type& JsonType();
};

// PluginPoint describes one member of Plugins. kPluginPoints lists them: the classic twelve first,
// in execution order.
struct PluginPoint {
  std::string_view name;
  PluginSet Plugins::*set;
};
inline constexpr std::array kPluginPoints = {
    PluginPoint{"preEnqueue", &Plugins::pre_enqueue},
    PluginPoint{"queueSort", &Plugins::queue_sort},
    PluginPoint{"preFilter", &Plugins::pre_filter},
    PluginPoint{"filter", &Plugins::filter},
    PluginPoint{"postFilter", &Plugins::post_filter},
    PluginPoint{"preScore", &Plugins::pre_score},
    PluginPoint{"score", &Plugins::score},
    PluginPoint{"reserve", &Plugins::reserve},
    PluginPoint{"permit", &Plugins::permit},
    PluginPoint{"preBind", &Plugins::pre_bind},
    PluginPoint{"bind", &Plugins::bind},
    PluginPoint{"postBind", &Plugins::post_bind},
    PluginPoint{"placementGenerate", &Plugins::placement_generate},
    PluginPoint{"placementScore", &Plugins::placement_score},
    PluginPoint{"podGroupPostFilter", &Plugins::pod_group_post_filter},
    PluginPoint{"multiPoint", &Plugins::multi_point},
};

// PluginConfig holds a plugin's raw arguments. The plugin parses and validates them.
struct PluginConfig {
  std::string name;
  json::Raw args;

  bool operator==(const PluginConfig&) const = default;
  static const json::Type& JsonType();
};

struct KubeSchedulerProfile {
  std::optional<std::string> scheduler_name;            // a single profile gets the default name
  std::optional<int32_t> percentage_of_nodes_to_score;  // absent: the global value
  Plugins plugins;
  std::vector<PluginConfig> plugin_config;

  bool operator==(const KubeSchedulerProfile&) const = default;
  static const json::Type& JsonType();
};

struct ExtenderManagedResource {
  std::string name;
  bool ignored_by_scheduler = false;

  bool operator==(const ExtenderManagedResource&) const = default;
  static const json::Type& JsonType();
};

struct ExtenderTlsConfig {
  bool insecure = false;
  std::string server_name;
  std::string cert_file;
  std::string key_file;
  std::string ca_file;
  std::string cert_data;
  std::string key_data;
  std::string ca_data;

  static constexpr std::string_view kNoKeyData =
      "a private key does not belong in a profile: put it in a Secret and set secretName";

  bool operator==(const ExtenderTlsConfig&) const = default;
  static const json::Type& JsonType();
};

// ExtenderCalls is the part of an extender's configuration that files and profiles share.
// podSelector and namespaceSelector are extensions of Berth.
struct ExtenderCalls {
  static constexpr std::string_view kAtMostADay = "must be at most 24h";

  std::string url_prefix;
  std::string filter_verb;
  std::string preempt_verb;
  std::string prioritize_verb;
  std::string bind_verb;
  bool enable_https = false;
  Duration http_timeout;
  bool node_cache_capable = false;
  std::vector<ExtenderManagedResource> managed_resources;
  bool ignorable = false;
  std::optional<LabelSelector> pod_selector;
  std::optional<LabelSelector> namespace_selector;

  static constexpr std::string_view kWeightNeeded = "must have a positive weight applied to it";
  static constexpr std::string_view kOneBinds = "only one extender can implement bind";

  bool operator==(const ExtenderCalls&) const = default;
  static const json::Type& JsonType();
};

// Extender is an extender in a file. A profile's extender (crds/extender.h) has a narrower weight
// range and may name a Secret.
struct Extender : ExtenderCalls {
  int64_t weight = 0;
  std::optional<ExtenderTlsConfig> tls_config;

  bool operator==(const Extender&) const = default;
  static const json::Type& JsonType();
};

struct LeaderElectionConfiguration {
  bool leader_elect = true;
  Duration lease_duration{std::chrono::seconds(15)};
  Duration renew_deadline{std::chrono::seconds(10)};
  Duration retry_period{std::chrono::seconds(2)};
  std::string resource_lock = "leases";
  std::string resource_name = "kube-scheduler";
  std::string resource_namespace = "kube-system";

  bool operator==(const LeaderElectionConfiguration&) const = default;
  static const json::Type& JsonType();
};

struct ClientConnectionConfiguration {
  std::string kubeconfig;
  std::string accept_content_types;
  std::string content_type = "application/vnd.kubernetes.protobuf";
  double qps = 50;
  int32_t burst = 100;

  bool operator==(const ClientConnectionConfiguration&) const = default;
  static const json::Type& JsonType();
};

struct KubeSchedulerConfiguration {
  int32_t parallelism = 16;
  LeaderElectionConfiguration leader_election;
  ClientConnectionConfiguration client_connection;
  bool enable_profiling = true;
  std::optional<bool> enable_contention_profiling;  // absent: same as enableProfiling
  int32_t percentage_of_nodes_to_score = 0;         // 0: the scheduler chooses
  int64_t pod_initial_backoff_seconds = 1;
  int64_t pod_max_backoff_seconds = 10;
  std::vector<KubeSchedulerProfile> profiles;
  std::vector<Extender> extenders;
  bool delay_cache_until_active = false;

  bool operator==(const KubeSchedulerConfiguration&) const = default;
  static const json::Type& JsonType();
};

// Reads YAML or JSON strictly and sets the defaults. Does not validate, so that the caller can
// apply flags first. Errors (kConfig) begin with `source_name`, a path or an object's name.
Result<KubeSchedulerConfiguration> LoadSchedulerConfiguration(std::string_view yaml_or_json,
                                                              std::string_view source_name);

// Sets the defaults that depend on other fields, and replaces zero where upstream treats it as
// unset. Does not merge plugin sets with the default plugins and does not touch arguments, because
// both need the plugins.
void SetDefaults(KubeSchedulerConfiguration& config);

// Returns all validation errors, in upstream's order and wording. Requires: SetDefaults was called.
std::vector<FieldError> Validate(const KubeSchedulerConfiguration& config);

}  // namespace berth::api
