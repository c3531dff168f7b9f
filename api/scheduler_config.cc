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
          .MinLength(1)
          .MaxLength(253)
          .Required()
          .Doc("Name of the plugin; \"*\" in a disabled list means all default plugins."),
      json::Field("weight", &Plugin::weight)
          .Min(0)
          .Doc("How much the plugin's score counts; only for plugins that score. 0 is the "
               "plugin's default.")));
  return type;
}

const json::Type& PluginSet::JsonType() {
  static const json::Type type = json::Describe<PluginSet>(json::Object(
      json::Field("enabled", &PluginSet::enabled)
          .ListMap("name")
          .MaxItems(64)
          .Doc("Plugins to run besides the default ones, or with another weight, in this order."),
      json::Field("disabled", &PluginSet::disabled)
          .ListMap("name")
          .MaxItems(64)
          .Doc("Default plugins to leave out.")));
  return type;
}

const json::Type& Plugins::JsonType() {
  static const json::Type type = json::Describe<Plugins>(json::Object(
      json::Field("multiPoint", &Plugins::multi_point)
          .Doc("Every point that the plugin implements."),
      json::Field("preEnqueue", &Plugins::pre_enqueue)
          .Doc("Decides whether a pod may enter the queue."),
      json::Field("queueSort", &Plugins::queue_sort).Doc("Orders the queue; exactly one plugin."),
      json::Field("preFilter", &Plugins::pre_filter)
          .Doc("Prepares the filters, once for each pod."),
      json::Field("filter", &Plugins::filter).Doc("Rules out nodes that cannot run the pod."),
      json::Field("postFilter", &Plugins::post_filter)
          .Doc("Runs when no node is left, to make room."),
      json::Field("preScore", &Plugins::pre_score).Doc("Prepares the scores, once for each pod."),
      json::Field("score", &Plugins::score).Doc("Ranks the nodes that are left."),
      json::Field("reserve", &Plugins::reserve)
          .Doc("Keeps count of what a chosen node gives away."),
      json::Field("permit", &Plugins::permit).Doc("Approves, denies or delays a binding."),
      json::Field("preBind", &Plugins::pre_bind).Doc("Work that must be done before binding."),
      json::Field("bind", &Plugins::bind).Doc("Binds the pod to its node."),
      json::Field("postBind", &Plugins::post_bind).Doc("Runs after a pod was bound."),
      json::Field("placementGenerate", &Plugins::placement_generate)
          .Doc("Proposes groups of nodes for a group of pods."),
      json::Field("placementScore", &Plugins::placement_score)
          .Doc("Ranks the proposed groups of nodes.")));
  return type;
}

const json::Type& PluginConfig::JsonType() {
  static const json::Type type = json::Describe<PluginConfig>(json::Object(
      json::Field("name", &PluginConfig::name)
          .MinLength(1)
          .MaxLength(253)
          .Required()
          .Doc("Name of the plugin."),
      json::Field("args", &PluginConfig::args).PreserveUnknown().Doc("Arguments of the plugin.")));
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
                       .MinLength(1)
                       .MaxLength(317)
                       .Required()
                       .Doc("Name of an extended resource."),
                   json::Field("ignoredByScheduler", &ExtenderManagedResource::ignored_by_scheduler)
                       .Doc("The scheduler itself does not look whether there is enough of it.")));
  return type;
}

const json::Type& ExtenderTlsConfig::JsonType() {
  static const json::Type type = json::Describe<ExtenderTlsConfig>(
      json::Object(json::Field("insecure", &ExtenderTlsConfig::insecure)
                       .Doc("Do not verify the server's certificate; for tests."),
                   json::Field("serverName", &ExtenderTlsConfig::server_name)
                       .MaxLength(253)
                       .Doc("Name that the server's certificate must have, if not the URL's host."),
                   json::Field("certFile", &ExtenderTlsConfig::cert_file)
                       .MaxLength(4096)
                       .Doc("Path of the client certificate."),
                   json::Field("keyFile", &ExtenderTlsConfig::key_file)
                       .MaxLength(4096)
                       .Doc("Path of the client certificate's key."),
                   json::Field("caFile", &ExtenderTlsConfig::ca_file)
                       .MaxLength(4096)
                       .Doc("Path of the certificate authority's certificates."),
                   json::Field("certData", &ExtenderTlsConfig::cert_data)
                       .MaxLength(65536)
                       .Doc("Client certificate, PEM in base64; wins over certFile."),
                   json::Field("keyData", &ExtenderTlsConfig::key_data)
                       .MaxLength(65536)
                       .Doc("Key of the client certificate, PEM in base64; wins over keyFile."),
                   json::Field("caData", &ExtenderTlsConfig::ca_data)
                       .MaxLength(65536)
                       .Doc("Certificates of the authority, PEM in base64; wins over caFile.")));
  return type;
}

const json::Type& Extender::JsonType() {
  static const json::Type type = json::Describe<Extender>(json::Object(
      json::Field("urlPrefix", &Extender::url_prefix)
          .MinLength(1)
          .MaxLength(2048)
          .Required()
          .Doc("URL of the extender; the verbs are appended to it."),
      json::Field("filterVerb", &Extender::filter_verb)
          .MaxLength(253)
          .Doc("Path of the filter call; empty = none."),
      json::Field("preemptVerb", &Extender::preempt_verb)
          .MaxLength(253)
          .Doc("Path of the preempt call; empty = none."),
      json::Field("prioritizeVerb", &Extender::prioritize_verb)
          .MaxLength(253)
          .Doc("Path of the prioritize call; empty = none."),
      json::Field("weight", &Extender::weight)
          .Min(0)
          .Doc("How much the extender's scores count; positive where prioritizeVerb is set."),
      json::Field("bindVerb", &Extender::bind_verb)
          .MaxLength(253)
          .Doc("Path of the bind call; at most one extender has one."),
      json::Field("enableHTTPS", &Extender::enable_https).Doc("Speak TLS."),
      json::Field("tlsConfig", &Extender::tls_config).Doc("How TLS is spoken."),
      json::Field("httpTimeout", &Extender::http_timeout).Doc("Limit of one call; 0 is 5s."),
      json::Field("nodeCacheCapable", &Extender::node_cache_capable)
          .Doc("The extender knows the nodes and is sent their names alone."),
      json::Field("managedResources", &Extender::managed_resources)
          .ListMap("name")
          .MaxItems(64)
          .Doc("Call the extender only for pods that ask for one of these; none = for all pods."),
      json::Field("ignorable", &Extender::ignorable)
          .Doc("Schedule without the extender when it does not answer."),
      json::Field("podSelector", &Extender::pod_selector)
          .Doc("Call the extender only for pods with these labels."),
      json::Field("namespaceSelector", &Extender::namespace_selector)
          .Doc("Call the extender only for pods of namespaces with these labels.")));
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
