// SPDX-License-Identifier: Apache-2.0
#include "api/old_scheduler_config.h"

namespace berth::api {

using json::Describe;
using json::Field;
using json::Object;

const json::Type& OldPolicyConfigMap::JsonType() {
  static const json::Type type =
      Describe<OldPolicyConfigMap>(Object(Field("name", &OldPolicyConfigMap::name),
                                          Field("namespace", &OldPolicyConfigMap::namespace_)));
  return type;
}

const json::Type& OldPolicyFile::JsonType() {
  static const json::Type type =
      Describe<OldPolicyFile>(Object(Field("path", &OldPolicyFile::path)));
  return type;
}

const json::Type& OldPolicySource::JsonType() {
  static const json::Type type = Describe<OldPolicySource>(Object(
      Field("file", &OldPolicySource::file), Field("configMap", &OldPolicySource::config_map)));
  return type;
}

const json::Type& OldAlgorithmSource::JsonType() {
  static const json::Type type =
      Describe<OldAlgorithmSource>(Object(Field("provider", &OldAlgorithmSource::provider),
                                          Field("policy", &OldAlgorithmSource::policy)));
  return type;
}

const json::Type& OldLeaderElection::JsonType() {
  static const json::Type type = Describe<OldLeaderElection>(
      Object(Field("leaderElect", &OldLeaderElection::leader_elect),
             Field("leaseDuration", &OldLeaderElection::lease_duration),
             Field("renewDeadline", &OldLeaderElection::renew_deadline),
             Field("retryPeriod", &OldLeaderElection::retry_period),
             Field("resourceLock", &OldLeaderElection::resource_lock),
             Field("resourceName", &OldLeaderElection::resource_name),
             Field("resourceNamespace", &OldLeaderElection::resource_namespace),
             Field("lockObjectName", &OldLeaderElection::lock_object_name),
             Field("lockObjectNamespace", &OldLeaderElection::lock_object_namespace)));
  return type;
}

const json::Type& OldProfile::JsonType() {
  static const json::Type type = Describe<OldProfile>(Object(
      Field("schedulerName", &OldProfile::scheduler_name),
      Field("percentageOfNodesToScore", &OldProfile::percentage_of_nodes_to_score),
      Field("plugins", &OldProfile::plugins), Field("pluginConfig", &OldProfile::plugin_config)));
  return type;
}

const json::Type& OldSchedulerConfiguration::JsonType() {
  using Config = OldSchedulerConfiguration;
  static const json::Type type = Describe<Config>(
      Object(json::Inherit<Config, OldProfile>(), Field("apiVersion", &Config::api_version),
             Field("kind", &Config::kind), Field("algorithmSource", &Config::algorithm_source),
             Field("hardPodAffinitySymmetricWeight", &Config::hard_pod_affinity_symmetric_weight),
             Field("leaderElection", &Config::leader_election),
             Field("clientConnection", &Config::client_connection),
             Field("healthzBindAddress", &Config::healthz_bind_address),
             Field("metricsBindAddress", &Config::metrics_bind_address),
             Field("enableProfiling", &Config::enable_profiling),
             Field("enableContentionProfiling", &Config::enable_contention_profiling),
             Field("parallelism", &Config::parallelism),
             Field("delayCacheUntilActive", &Config::delay_cache_until_active),
             Field("disablePreemption", &Config::disable_preemption),
             Field("bindTimeoutSeconds", &Config::bind_timeout_seconds),
             Field("podInitialBackoffSeconds", &Config::pod_initial_backoff_seconds),
             Field("podMaxBackoffSeconds", &Config::pod_max_backoff_seconds),
             Field("profiles", &Config::profiles), Field("extenders", &Config::extenders)));
  return type;
}

}  // namespace berth::api
