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

namespace berth::api {

const json::Type& Plugin::JsonType() {
  static const json::Type type = json::Describe<Plugin>(json::Object(
      json::Field("name", &Plugin::name)
          .Doc("Name of the plugin, as `berth plugins` lists it.")
          .Required()
          .MinLength(1)
          .MaxLength(128),
      json::Field("weight", &Plugin::weight)
          .Doc("Factor of the plugin's scores in a node's total; read at the points score, "
               "placementScore and multiPoint. "
               "0 or absent: 1, also for a plugin that the default profile gives more.")
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
                       .Doc("Plugins that run at this point, in this order, in addition to "
                            "those of the default profile. Naming a "
                            "default plugin here replaces its weight.")
                       .ListMap("name")
                       .MaxItems(64),
                   json::Field("disabled", &PluginSet::disabled)
                       .Doc("Plugins of the default profile that do not run at this point. A "
                            "plugin that is enabled here too stays "
                            "enabled.")
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
              .Doc("Plugins that look at the pod once before nodes are filtered."),
          json::Field("filter", &Plugins::filter)
              .Doc("Plugins that rule out nodes on which the pod cannot run."),
          json::Field("postFilter", &Plugins::post_filter)
              .Doc("Plugins that run when no node is left; the first that makes the pod "
                   "schedulable ends the point."),
          json::Field("preScore", &Plugins::pre_score).Doc("Plugins that prepare scoring."),
          json::Field("score", &Plugins::score)
              .Doc("Plugins that rate the nodes that are left, 0 to 100 each, times their "
                   "weight."),
          json::Field("reserve", &Plugins::reserve)
              .Doc("Plugins that keep account of what a pod takes before it is bound."),
          json::Field("permit", &Plugins::permit)
              .Doc("Plugins that admit, refuse or delay the binding of a pod."),
          json::Field("preBind", &Plugins::pre_bind)
              .Doc("Plugins that do what must be done before binding, such as providing a "
                   "volume."),
          json::Field("bind", &Plugins::bind)
              .Doc("Plugins that bind; the first that takes the pod ends the point. At least "
                   "one is needed."),
          json::Field("postBind", &Plugins::post_bind).Doc("Plugins that are told of a bound pod."),
          json::Field("placementGenerate", &Plugins::placement_generate)
              .Doc("Plugins that propose sets of nodes for a group of pods."),
          json::Field("placementScore", &Plugins::placement_score)
              .Doc("Plugins that rate such sets."),
          json::Field("multiPoint", &Plugins::multi_point)
              .Doc("Plugins that are enabled or disabled at every point they implement. What "
                   "a point itself says "
                   "goes before."))
          .Rule("!has(self.queueSort) || !has(self.queueSort.enabled) || "
                "self.queueSort.enabled.size() "
                "<= 1",
                kOneQueueSort));
  return type;
}

const json::Type& PluginConfig::JsonType() {
  static const json::Type type = json::Describe<PluginConfig>(
      json::Object(json::Field("name", &PluginConfig::name)
                       .Doc("Name of the plugin these arguments are for.")
                       .Required()
                       .MinLength(1)
                       .MaxLength(128),
                   json::Field("args", &PluginConfig::args)
                       .Doc("The plugin's arguments; `berth plugins NAME` shows which it "
                            "takes. apiVersion and kind may be given "
                            "and are checked. Unknown fields and values of another kind are "
                            "refused when the profile is applied; the operator checks the rest "
                            "and reports mistakes in the condition Valid.")
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
                       .Doc("NodeResourcesFit leaves this resource to the extender.")));
  return type;
}

const json::Type& ExtenderTlsConfig::JsonType() {
  static const json::Type type = json::Describe<ExtenderTlsConfig>(
      json::Object(json::Field("insecure", &ExtenderTlsConfig::insecure)
                       .Doc("Accept any server certificate. For tests only."),
                   json::Field("serverName", &ExtenderTlsConfig::server_name)
                       .Doc("Name the server certificate must carry; empty: the host of urlPrefix.")
                       .MaxLength(253),
                   json::Field("certFile", &ExtenderTlsConfig::cert_file)
                       .Doc("Path of the client certificate in the scheduler's container.")
                       .MaxLength(1024),
                   json::Field("keyFile", &ExtenderTlsConfig::key_file)
                       .Doc("Path of the client key in the scheduler's container.")
                       .MaxLength(1024),
                   json::Field("caFile", &ExtenderTlsConfig::ca_file)
                       .Doc("Path of the authorities' certificates in the scheduler's container.")
                       .MaxLength(1024),
                   json::Field("certData", &ExtenderTlsConfig::cert_data)
                       .Doc("Client certificate, PEM in base64; goes before certFile.")
                       .MaxLength(65536),
                   json::Field("keyData", &ExtenderTlsConfig::key_data)
                       .Doc("Refused: name a Secret in secretName.")
                       .MaxLength(65536)
                       .Rule("self == ''", kNoKeyData),
                   json::Field("caData", &ExtenderTlsConfig::ca_data)
                       .Doc("Authorities' certificates, PEM in base64; goes before caFile.")
                       .MaxLength(65536)));
  return type;
}

const json::Type& ExtenderCalls::JsonType() {
  static const json::Type type = json::Describe<ExtenderCalls>(json::Object(
      json::Field("urlPrefix", &ExtenderCalls::url_prefix)
          .Doc("Address of the extender, to which a verb is appended.")
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
          .Doc("Path of the bind call; empty: not called. One extender at most may bind.")
          .MaxLength(256),
      json::Field("enableHTTPS", &ExtenderCalls::enable_https)
          .Doc("Call with TLS, as tlsConfig says."),
      json::Field("httpTimeout", &ExtenderCalls::http_timeout)
          .Doc("Time after which a call has failed; absent: 5s.")
          .Rule("duration(self) <= duration('24h')", ExtenderCalls::kAtMostADay),
      json::Field("nodeCacheCapable", &ExtenderCalls::node_cache_capable)
          .Doc("The extender knows the nodes: only their names are sent."),
      json::Field("managedResources", &ExtenderCalls::managed_resources)
          .Doc("The extender is called only for pods that request one of these; none: for "
               "every pod.")
          .ListMap("name")
          .MaxItems(32),
      json::Field("ignorable", &ExtenderCalls::ignorable)
          .Doc("Scheduling goes on when the extender fails."),
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
          .Doc("Only the one that holds the Lease schedules."),
      json::Field("leaseDuration", &LeaderElectionConfiguration::lease_duration)
          .Doc("A Lease not renewed for so long may be taken by another."),
      json::Field("renewDeadline", &LeaderElectionConfiguration::renew_deadline)
          .Doc("A holder that could not renew for so long gives up."),
      json::Field("retryPeriod", &LeaderElectionConfiguration::retry_period)
          .Doc("Time between two attempts."),
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
