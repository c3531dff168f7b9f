// SPDX-License-Identifier: Apache-2.0
#include "api/scheduler_config.h"

#include "base/json/json.h"
#include "base/yaml/yaml.h"

namespace berth::api {
namespace {

constexpr std::string_view kKind = "KubeSchedulerConfiguration";

// Returns an error if the document is not a supported configuration: upstream's text, and the fix.
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

namespace berth::api {

const json::Type& Plugin::JsonType() {
  static const json::Type type = json::Describe<Plugin>(json::Object(
      json::Field("name", &Plugin::name)
          .Doc("Name of the plugin, as `berth plugins` lists it.")
          .Required()
          .MinLength(1)
          .MaxLength(128),
      json::Field("weight", &Plugin::weight)
          .Doc("Factor of the plugin's scores in a node's total, for the points score, "
               "placementScore and multiPoint. 0 or absent: 1, even if the default profile has a "
               "higher weight.")
          .Min(0)
          .Max(2147483647)));
  return type;
}

const json::Type& DisabledPlugin::JsonType() {
  static const json::Type type = json::Describe<DisabledPlugin>(
      json::Object(json::Field("name", &DisabledPlugin::name)
                       .Doc("Name of a plugin of the default profile, or * for all of them.")
                       .Required()
                       .MinLength(1)
                       .MaxLength(128),
                   json::Field("weight", &DisabledPlugin::weight).OnlyInFiles()));
  return type;
}

const json::Type& PluginSet::JsonType() {
  static const json::Type type = json::Describe<PluginSet>(
      json::Object(json::Field("enabled", &PluginSet::enabled)
                       .Doc("Plugins that run at this point, in this order, in addition to the "
                            "default profile's plugins. A default plugin listed here gets this "
                            "weight.")
                       .ListMap("name")
                       .MaxItems(64),
                   json::Field("disabled", &PluginSet::disabled)
                       .Doc("Plugins of the default profile that do not run at this point. A "
                            "plugin that is also in enabled stays enabled.")
                       .ListMap("name")
                       .MaxItems(64)));
  return type;
}

const json::Type& Plugins::JsonType() {
  static const json::Type type = json::Describe<Plugins>(
      json::Object(
          json::Field("preEnqueue", &Plugins::pre_enqueue)
              .Doc("Plugins that decide whether a pod may enter the queue."),
          json::Field("queueSort", &Plugins::queue_sort)
              .Doc("The plugin that orders the queue; exactly one is in effect."),
          json::Field("preFilter", &Plugins::pre_filter)
              .Doc("Plugins that inspect the pod once before nodes are filtered."),
          json::Field("filter", &Plugins::filter)
              .Doc("Plugins that filter out nodes on which the pod cannot run."),
          json::Field("postFilter", &Plugins::post_filter)
              .Doc("Plugins that run if no node passes the filters, until one makes the pod "
                   "schedulable."),
          json::Field("preScore", &Plugins::pre_score).Doc("Plugins that prepare scoring."),
          json::Field("score", &Plugins::score)
              .Doc("Plugins that score the remaining nodes, 0 to 100 each, times their weight."),
          json::Field("reserve", &Plugins::reserve)
              .Doc("Plugins that reserve resources for a pod before it is bound."),
          json::Field("permit", &Plugins::permit)
              .Doc("Plugins that approve, deny or delay the binding of a pod."),
          json::Field("preBind", &Plugins::pre_bind)
              .Doc("Plugins that prepare the binding, such as provisioning a volume."),
          json::Field("bind", &Plugins::bind)
              .Doc("Plugins that bind the pod, until one handles it. At least one is required."),
          json::Field("postBind", &Plugins::post_bind)
              .Doc("Plugins that run after a pod is "
                   "bound."),
          json::Field("placementGenerate", &Plugins::placement_generate)
              .Doc("Plugins that propose placements (sets of nodes) for a pod group."),
          json::Field("placementScore", &Plugins::placement_score)
              .Doc("Plugins that score placements."),
          json::Field("podGroupPostFilter", &Plugins::pod_group_post_filter)
              .Doc("Plugins that run if a pod group cannot be scheduled."),
          json::Field("multiPoint", &Plugins::multi_point)
              .Doc("Plugins that are enabled or disabled at every point they implement. The "
                   "settings of a single point take precedence."))
          .Rule("!has(self.queueSort) || !has(self.queueSort.enabled) || "
                "self.queueSort.enabled.size() "
                "<= 1",
                kOneQueueSort));
  return type;
}

const json::Type& PluginConfig::JsonType() {
  static const json::Type type = json::Describe<PluginConfig>(
      json::Object(json::Field("name", &PluginConfig::name)
                       .Doc("Name of the plugin.")
                       .Required()
                       .MinLength(1)
                       .MaxLength(128),
                   json::Field("args", &PluginConfig::args)
                       .Doc("The plugin's arguments; `berth plugins NAME` lists them. apiVersion "
                            "and kind are optional and are checked. Unknown fields and wrong types "
                            "are rejected when the profile is applied. The operator validates the "
                            "rest and reports errors in the condition Valid.")
                       .PreserveUnknown()));
  return type;
}

const json::Type& KubeSchedulerProfile::JsonType() {
  static const json::Type type = json::Describe<KubeSchedulerProfile>(json::Object(
      json::Field("schedulerName", &KubeSchedulerProfile::scheduler_name),
      json::Field("percentageOfNodesToScore", &KubeSchedulerProfile::percentage_of_nodes_to_score),
      json::Field("plugins", &KubeSchedulerProfile::plugins),
      json::Field("pluginConfig", &KubeSchedulerProfile::plugin_config)));
  return type;
}

const json::Type& ExtenderManagedResource::JsonType() {
  static const json::Type type = json::Describe<ExtenderManagedResource>(
      json::Object(json::Field("name", &ExtenderManagedResource::name)
                       .Doc("An extended resource, such as example.com/gpu.")
                       .Required()
                       .MinLength(1)
                       .MaxLength(317),
                   json::Field("ignoredByScheduler", &ExtenderManagedResource::ignored_by_scheduler)
                       .Doc("NodeResourcesFit ignores this resource; the extender handles it.")));
  return type;
}

const json::Type& ExtenderTlsConfig::JsonType() {
  static const json::Type type = json::Describe<ExtenderTlsConfig>(
      json::Object(json::Field("insecure", &ExtenderTlsConfig::insecure)
                       .Doc("Accept any server certificate. For tests only."),
                   json::Field("serverName", &ExtenderTlsConfig::server_name)
                       .Doc("Expected name in the server certificate; empty: the host of "
                            "urlPrefix.")
                       .MaxLength(253),
                   json::Field("certFile", &ExtenderTlsConfig::cert_file)
                       .Doc("Path of the client certificate in the scheduler's container.")
                       .MaxLength(1024),
                   json::Field("keyFile", &ExtenderTlsConfig::key_file)
                       .Doc("Path of the client key in the scheduler's container.")
                       .MaxLength(1024),
                   json::Field("caFile", &ExtenderTlsConfig::ca_file)
                       .Doc("Path of the CA bundle in the scheduler's container.")
                       .MaxLength(1024),
                   json::Field("certData", &ExtenderTlsConfig::cert_data)
                       .Doc("Client certificate, PEM in base64; takes precedence over certFile.")
                       .MaxLength(65536),
                   json::Field("keyData", &ExtenderTlsConfig::key_data)
                       .Doc("Not allowed; use secretName instead.")
                       .MaxLength(65536)
                       .Rule("self == ''", kNoKeyData),
                   json::Field("caData", &ExtenderTlsConfig::ca_data)
                       .Doc("CA bundle, PEM in base64; takes precedence over caFile.")
                       .MaxLength(65536)));
  return type;
}

const json::Type& ExtenderCalls::JsonType() {
  static const json::Type type = json::Describe<ExtenderCalls>(json::Object(
      json::Field("urlPrefix", &ExtenderCalls::url_prefix)
          .Doc("URL of the extender; a verb is appended to it.")
          .Required()
          .MinLength(1)
          .MaxLength(2048),
      json::Field("filterVerb", &ExtenderCalls::filter_verb)
          .Doc("Path of the filter call; empty: not called.")
          .MaxLength(256),
      json::Field("preemptVerb", &ExtenderCalls::preempt_verb)
          .Doc("Path of the preempt call; empty: not called.")
          .MaxLength(256),
      json::Field("prioritizeVerb", &ExtenderCalls::prioritize_verb)
          .Doc("Path of the prioritize call; empty: not called.")
          .MaxLength(256),
      json::Field("bindVerb", &ExtenderCalls::bind_verb)
          .Doc("Path of the bind call; empty: not called. At most one extender may bind.")
          .MaxLength(256),
      json::Field("enableHTTPS", &ExtenderCalls::enable_https)
          .Doc("Use TLS with the settings in tlsConfig."),
      json::Field("httpTimeout", &ExtenderCalls::http_timeout)
          .Doc("Timeout of a call; absent: 5s.")
          .Rule("duration(self) <= duration('24h')", ExtenderCalls::kAtMostADay),
      json::Field("nodeCacheCapable", &ExtenderCalls::node_cache_capable)
          .Doc("The extender caches nodes, so requests contain only node names."),
      json::Field("managedResources", &ExtenderCalls::managed_resources)
          .Doc("The extender is called only for pods that request one of these resources; empty: "
               "for every pod.")
          .ListMap("name")
          .MaxItems(32),
      json::Field("ignorable", &ExtenderCalls::ignorable)
          .Doc("Scheduling continues if the extender fails."),
      json::Field("podSelector", &ExtenderCalls::pod_selector)
          .Doc("Berth only: the extender is called for pods with these labels; absent: "
               "for every pod."),
      json::Field("namespaceSelector", &ExtenderCalls::namespace_selector)
          .Doc("Berth only: the extender is called for pods of namespaces with these "
               "labels; absent: of every "
               "namespace.")));
  return type;
}

const json::Type& Extender::JsonType() {
  static const json::Type type = json::Describe<Extender>(json::Object(
      json::Inherit<Extender, ExtenderCalls>(), json::Field("weight", &Extender::weight),
      json::Field("tlsConfig", &Extender::tls_config)));
  return type;
}

const json::Type& LeaderElectionConfiguration::JsonType() {
  static const json::Type type = json::Describe<LeaderElectionConfiguration>(json::Object(
      json::Field("leaderElect", &LeaderElectionConfiguration::leader_elect)
          .Doc("Only the holder of the Lease schedules."),
      json::Field("leaseDuration", &LeaderElectionConfiguration::lease_duration)
          .Doc("Another candidate may acquire a Lease that was not renewed for this time."),
      json::Field("renewDeadline", &LeaderElectionConfiguration::renew_deadline)
          .Doc("A holder that could not renew for this time stops leading."),
      json::Field("retryPeriod", &LeaderElectionConfiguration::retry_period)
          .Doc("Time between two attempts to acquire or renew."),
      json::Field("resourceLock", &LeaderElectionConfiguration::resource_lock).MaxLength(63),
      json::Field("resourceName", &LeaderElectionConfiguration::resource_name).MaxLength(253),
      json::Field("resourceNamespace", &LeaderElectionConfiguration::resource_namespace)
          .MaxLength(63)));
  return type;
}

const json::Type& ClientConnectionConfiguration::JsonType() {
  static const json::Type type = json::Describe<ClientConnectionConfiguration>(json::Object(
      json::Field("kubeconfig", &ClientConnectionConfiguration::kubeconfig),
      json::Field("acceptContentTypes", &ClientConnectionConfiguration::accept_content_types),
      json::Field("contentType", &ClientConnectionConfiguration::content_type),
      json::Field("qps", &ClientConnectionConfiguration::qps),
      json::Field("burst", &ClientConnectionConfiguration::burst)));
  return type;
}

const json::Type& KubeSchedulerConfiguration::JsonType() {
  static const json::Type type = json::Describe<KubeSchedulerConfiguration>(json::Object(
      json::Constant("apiVersion", kSchedulerConfigVersion),
      json::Constant("kind", "KubeSchedulerConfiguration"),
      json::Field("parallelism", &KubeSchedulerConfiguration::parallelism),
      json::Field("leaderElection", &KubeSchedulerConfiguration::leader_election),
      json::Field("clientConnection", &KubeSchedulerConfiguration::client_connection),
      json::Field("enableProfiling", &KubeSchedulerConfiguration::enable_profiling),
      json::Field("enableContentionProfiling",
                  &KubeSchedulerConfiguration::enable_contention_profiling),
      json::Field("percentageOfNodesToScore",
                  &KubeSchedulerConfiguration::percentage_of_nodes_to_score),
      json::Field("podInitialBackoffSeconds",
                  &KubeSchedulerConfiguration::pod_initial_backoff_seconds),
      json::Field("podMaxBackoffSeconds", &KubeSchedulerConfiguration::pod_max_backoff_seconds),
      json::Field("profiles", &KubeSchedulerConfiguration::profiles),
      json::Field("extenders", &KubeSchedulerConfiguration::extenders),
      json::Field("delayCacheUntilActive", &KubeSchedulerConfiguration::delay_cache_until_active)));
  return type;
}

}  // namespace berth::api
