// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/legacy_policy.h"
#include "api/scheduler_config.h"
#include "base/json/json.h"
#include "base/time.h"

// A KubeSchedulerConfiguration of any version from v1alpha1 to v1, with the union of their fields.
// Absent means unset. Only the conversion uses it; schedulers read api/scheduler_config.h. Source:
// k8s.io/kube-scheduler at v0.17 to v0.25,
// config/{v1alpha1,v1alpha2,v1beta1,v1beta2,v1beta3,v1}/types.go.
namespace berth::api {

struct OldPolicyConfigMap {
  std::string name;
  std::string namespace_;
  static const json::Type& JsonType();
};

struct OldPolicyFile {
  std::string path;
  static const json::Type& JsonType();
};

struct OldPolicySource {
  std::optional<OldPolicyFile> file;
  std::optional<OldPolicyConfigMap> config_map;
  static const json::Type& JsonType();
};

struct OldAlgorithmSource {
  std::optional<std::string> provider;
  std::optional<OldPolicySource> policy;
  static const json::Type& JsonType();
};

struct OldLeaderElection {
  std::optional<bool> leader_elect;
  Duration lease_duration;
  Duration renew_deadline;
  Duration retry_period;
  std::string resource_lock;
  std::string resource_name;
  std::string resource_namespace;
  std::string lock_object_name;
  std::string lock_object_namespace;
  static const json::Type& JsonType();
};

// The names of extension points differ between versions, so the map keeps any name.
using OldPlugins = std::map<std::string, PluginSet>;

struct OldProfile {
  std::string scheduler_name;
  std::optional<int32_t> percentage_of_nodes_to_score;
  OldPlugins plugins;
  std::vector<PluginConfig> plugin_config;
  static const json::Type& JsonType();
};

// The base has the fields of v1alpha1's single profile. Later versions have `profiles` instead, but
// percentageOfNodesToScore stays a field of the configuration, too.
struct OldSchedulerConfiguration : OldProfile {
  std::string api_version;
  std::string kind;
  OldAlgorithmSource algorithm_source;
  std::optional<int32_t> hard_pod_affinity_symmetric_weight;
  OldLeaderElection leader_election;
  json::Raw client_connection;
  json::Raw healthz_bind_address;
  json::Raw metrics_bind_address;
  json::Raw enable_profiling;
  json::Raw enable_contention_profiling;
  json::Raw parallelism;
  json::Raw delay_cache_until_active;
  std::optional<bool> disable_preemption;
  std::optional<int64_t> bind_timeout_seconds;
  std::optional<int64_t> pod_initial_backoff_seconds;
  std::optional<int64_t> pod_max_backoff_seconds;
  std::vector<OldProfile> profiles;
  std::vector<LegacyExtender> extenders;
  static const json::Type& JsonType();
};

}  // namespace berth::api
