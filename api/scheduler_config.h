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

// KubeSchedulerConfiguration v1, the file a scheduler is started with. Source:
// kube-scheduler-core 1.1 to 1.4 and 1.9. Where upstream has a pointer and a default, the member
// starts with the default: absent and null mean it, anything that is written is kept for Validate
// to judge.
namespace berth::api {

inline constexpr std::string_view kSchedulerConfigVersion = "kubescheduler.config.k8s.io/v1";
inline constexpr std::string_view kDefaultSchedulerName = "default-scheduler";

struct Plugin {
  std::string name;
  int32_t weight = 0;

  bool operator==(const Plugin&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &Plugin::name)
            .MinLength(1)
            .MaxLength(253)
            .Required()
            .Doc("Name of the plugin; \"*\" in a disabled list means all default plugins."),
        json::Field("weight", &Plugin::weight)
            .Min(0)
            .Doc("How much the plugin's score counts; only for plugins that score. 0 is the "
                 "plugin's default."));
  }
};

struct PluginSet {
  std::vector<Plugin> enabled;
  std::vector<Plugin> disabled;

  bool operator==(const PluginSet&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("enabled", &PluginSet::enabled)
            .ListMap("name")
            .MaxItems(64)
            .Doc("Plugins to run besides the default ones, or with another weight, in this order."),
        json::Field("disabled", &PluginSet::disabled)
            .ListMap("name")
            .MaxItems(64)
            .Doc("Default plugins to leave out."));
  }
};

// Plugins has a set for each extension point; multiPoint stands for every point a plugin
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

  bool operator==(const Plugins&) const = default;
  static constexpr auto Fields() {
    return json::Object(
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
            .Doc("Ranks the proposed groups of nodes."));
  }
};

// kPluginPoints names the sets of Plugins, the classic twelve first, in the order in which a pod
// meets them.
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
    PluginPoint{"multiPoint", &Plugins::multi_point},
};

// PluginConfig carries a plugin's arguments as they came; the plugin itself reads and checks them.
struct PluginConfig {
  std::string name;
  json::Raw args;

  bool operator==(const PluginConfig&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &PluginConfig::name)
            .MinLength(1)
            .MaxLength(253)
            .Required()
            .Doc("Name of the plugin."),
        json::Field("args", &PluginConfig::args).PreserveUnknown().Doc("Arguments of the plugin."));
  }
};

struct KubeSchedulerProfile {
  std::optional<std::string> scheduler_name;            // absent is filled in for an only profile
  std::optional<int32_t> percentage_of_nodes_to_score;  // absent: the global one
  Plugins plugins;
  std::vector<PluginConfig> plugin_config;

  bool operator==(const KubeSchedulerProfile&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("schedulerName", &KubeSchedulerProfile::scheduler_name),
                        json::Field("percentageOfNodesToScore",
                                    &KubeSchedulerProfile::percentage_of_nodes_to_score),
                        json::Field("plugins", &KubeSchedulerProfile::plugins),
                        json::Field("pluginConfig", &KubeSchedulerProfile::plugin_config));
  }
};

struct ExtenderManagedResource {
  std::string name;
  bool ignored_by_scheduler = false;

  bool operator==(const ExtenderManagedResource&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &ExtenderManagedResource::name)
            .MinLength(1)
            .MaxLength(317)
            .Required()
            .Doc("Name of an extended resource."),
        json::Field("ignoredByScheduler", &ExtenderManagedResource::ignored_by_scheduler)
            .Doc("The scheduler itself does not look whether there is enough of it."));
  }
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

  bool operator==(const ExtenderTlsConfig&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("insecure", &ExtenderTlsConfig::insecure)
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
            .Doc("Certificates of the authority, PEM in base64; wins over caFile."));
  }
};

// Extender is a web service the scheduler asks. podSelector and namespaceSelector are Berth's own,
// upstream knows neither.
struct Extender {
  std::string url_prefix;
  std::string filter_verb;
  std::string preempt_verb;
  std::string prioritize_verb;
  int64_t weight = 0;
  std::string bind_verb;
  bool enable_https = false;
  std::optional<ExtenderTlsConfig> tls_config;
  Duration http_timeout;
  bool node_cache_capable = false;
  std::vector<ExtenderManagedResource> managed_resources;
  bool ignorable = false;
  std::optional<LabelSelector> pod_selector;
  std::optional<LabelSelector> namespace_selector;

  bool operator==(const Extender&) const = default;
  static constexpr auto Fields() {
    return json::Object(
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
            .Doc("Call the extender only for pods of namespaces with these labels."));
  }
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
  static constexpr auto Fields() {
    return json::Object(
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
            .MaxLength(63));
  }
};

struct ClientConnectionConfiguration {
  std::string kubeconfig;
  std::string accept_content_types;
  std::string content_type = "application/vnd.kubernetes.protobuf";
  double qps = 50;
  int32_t burst = 100;

  bool operator==(const ClientConnectionConfiguration&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("kubeconfig", &ClientConnectionConfiguration::kubeconfig),
        json::Field("acceptContentTypes", &ClientConnectionConfiguration::accept_content_types),
        json::Field("contentType", &ClientConnectionConfiguration::content_type),
        json::Field("qps", &ClientConnectionConfiguration::qps),
        json::Field("burst", &ClientConnectionConfiguration::burst));
  }
};

struct KubeSchedulerConfiguration {
  int32_t parallelism = 16;
  LeaderElectionConfiguration leader_election;
  ClientConnectionConfiguration client_connection;
  bool enable_profiling = true;
  std::optional<bool> enable_contention_profiling;  // absent: as enableProfiling
  int32_t percentage_of_nodes_to_score = 0;         // 0 leaves the number to the scheduler
  int64_t pod_initial_backoff_seconds = 1;
  int64_t pod_max_backoff_seconds = 10;
  std::vector<KubeSchedulerProfile> profiles;
  std::vector<Extender> extenders;
  bool delay_cache_until_active = false;

  bool operator==(const KubeSchedulerConfiguration&) const = default;
  static constexpr auto Fields() {
    return json::Object(
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
        json::Field("delayCacheUntilActive",
                    &KubeSchedulerConfiguration::delay_cache_until_active));
  }
};

// LoadSchedulerConfiguration reads YAML or JSON strictly and sets the defaults; validating is left
// to the caller, who may apply flags first. Errors (kConfig) begin with `source_name`, a path or an
// object's name.
Result<KubeSchedulerConfiguration> LoadSchedulerConfiguration(std::string_view yaml_or_json,
                                                              std::string_view source_name);

// SetDefaults fills in what depends on other fields, and what upstream treats as unset when it is
// zero. Plugin sets are not merged with the default plugins here, and arguments are left alone:
// both need the plugins.
void SetDefaults(KubeSchedulerConfiguration& config);

// Validate gives all mistakes, in upstream's order and words, or none. Requires: SetDefaults was
// called.
std::vector<FieldError> Validate(const KubeSchedulerConfiguration& config);

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::KubeSchedulerConfiguration);
BERTH_JSON_EXTERN(berth::api::Plugins);
