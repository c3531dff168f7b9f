// SPDX-License-Identifier: Apache-2.0
#include "crds/run_spec.h"

#include "crds/patterns.h"

namespace berth::crds {
namespace {

// A DNS subdomain, or nothing. Source: apimachinery util/validation, IsDNS1123Subdomain.
constexpr const char* kOptionalNamePattern =
    R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$)";

// These flags set the scheduler's configuration, account, Lease and network access. Go's flag
// package treats one dash like two, and Kubernetes components treat an underscore like a dash.
// Source: component-base cli/flag/flags.go, WordSepNormalizeFunc.
constexpr const char* kNoOperatorsArgument =
    "self.all(a, !a.matches('^(-v[0-9]*|--?(v|config|config[-_]map|([a-z_-]*[-_])?kubeconfig|"
    "master|lease|leader[-_]elect[a-z_-]*|bind[-_]address|secure[-_]port|sidecar[-_]ports|"
    "logging[-_]format|authentication[-_]skip[-_]lookup|authorization[-_]always[-_]allow[-_]paths))"
    "($|=)'))";

constexpr const char* kNoReservedVariable =
    "self.all(e, !e.name.matches('^(KUBERNETES_|BERTH_|LD_|OPENSSL_|SSL_CERT_|"
    "(KUBECONFIG|HOSTALIASES|LOCALDOMAIN|RES_OPTIONS)$)|(?i:_proxy$)'))";

}  // namespace

const json::Type& EngineSpec::JsonType() {
  static const json::Type type = json::Describe<EngineSpec>(
      json::Object(
          json::Field("type", &EngineSpec::type)
              .Doc("Berth: the scheduling core of Berth. KubeScheduler: a stock or custom "
                   "kube-scheduler image; every configuration change replaces its pods.")
              .Default(R"("Berth")")
              .OneOf("Berth|KubeScheduler"),
          json::Field("image", &EngineSpec::image)
              .Doc("Container image, allowed by the operator's list; empty: the operator's own "
                   "image for Berth, the stock image for KubeScheduler. If set, plugin names are "
                   "not validated, because the image may have others, and a Berth scheduler has "
                   "only the base permissions.")
              .Pattern(kImagePattern)
              .MaxLength(1024),
          json::Field("imagePullPolicy", &EngineSpec::image_pull_policy)
              .Doc("When the kubelet pulls the image.")
              .Default(R"("IfNotPresent")")
              .OneOf("Always|IfNotPresent|Never"),
          json::Field("imagePullSecrets", &EngineSpec::image_pull_secrets)
              .Doc("Secrets in spec.namespace for pulling the images of the scheduler and its "
                   "sidecars.")
              .ListMap("name")
              .MaxItems(16),
          json::Field("command", &EngineSpec::command)
              .Doc("Command of the container, for an image with another program; empty: `berth "
                   "scheduler`, or `kube-scheduler`. The operator's arguments follow "
                   "it.")
              .MaxItems(32)
              .ItemMaxLength(1024),
          json::Field("extraArgs", &EngineSpec::extra_args)
              .Doc("Arguments appended to the operator's, which they must not override. No "
                   "references $(NAME) to a variable from a Secret.")
              .MaxItems(64)
              .ItemMaxLength(1024)
              .Rule(kNoOperatorsArgument, kOperatorsArguments),
          json::Field("clusterRoles", &EngineSpec::cluster_roles)
              .Doc("Additional existing ClusterRoles that the scheduler is bound to; each must be "
                   "on the operator's list.")
              .ListSet()
              .MaxItems(32)
              .ItemMaxLength(253))
          .Rule("!has(self.command) || self.command.size() == 0 || "
                "(has(self.image) && self.image != '')",
                kCommandNeedsImage));
  return type;
}

const json::Type& DeploymentSpec::JsonType() {
  static const json::Type type = json::Describe<DeploymentSpec>(json::Object(
      json::Field("replicas", &DeploymentSpec::replicas)
          .Doc(
              "Number of scheduler pods. One is the leader and schedules; the others are standbys.")
          .Default("1")
          .Min(1)
          .Max(16),
      json::Field("resources", &DeploymentSpec::resources)
          .Doc("Requests and limits of the scheduler's container; without cpu or memory "
               "the operator sets a small request."),
      json::Field("nodeSelector", &DeploymentSpec::node_selector)
          .Doc("Node labels that scheduler pods require.")
          .MaxItems(32)
          .ItemMaxLength(63),
      json::Field("tolerations", &DeploymentSpec::tolerations)
          .Doc("Taints that scheduler pods tolerate.")
          .MaxItems(32),
      json::Field("affinity", &DeploymentSpec::affinity)
          .Doc("Affinity of scheduler pods to nodes and pods."),
      json::Field("priorityClassName", &DeploymentSpec::priority_class_name)
          .Doc("PriorityClass of scheduler pods; empty: none.")
          .Default(R"("system-cluster-critical")")
          .Pattern(kOptionalNamePattern)
          .MaxLength(253),
      json::Field("podLabels", &DeploymentSpec::pod_labels)
          .Doc("Additional labels of scheduler pods.")
          .MaxItems(32)
          .ItemMaxLength(63)
          .Rule("self.all(k, !k.startsWith('berth.dev/') && !k.startsWith('app.kubernetes.io/'))",
                kOwnLabels),
      json::Field("podAnnotations", &DeploymentSpec::pod_annotations)
          .Doc("Annotations of scheduler pods.")
          .MaxItems(32)
          .ItemMaxLength(4096)
          .Rule("self.all(k, !k.startsWith('berth.dev/'))", kOwnAnnotations),
      json::Field("env", &DeploymentSpec::env)
          .Doc("Environment of the scheduler's container. Referenced Secrets and ConfigMaps "
               "must have names that begin with berth-<profile>-, or be on the operator's list.")
          .ListMap("name")
          .MaxItems(64)
          .Rule(kNoReservedVariable, kReservedVariables),
      json::Field("sidecars", &DeploymentSpec::sidecars)
          .Doc("Additional containers in each scheduler pod: extenders at "
               "localhost. They have no token for the API server and share the pod's "
               "network.")
          .ListMap("name")
          .MaxItems(8)
          .Rule("self.all(a, self.exists_one(b, b.port == a.port))", Sidecar::kOnePortEach)));
  return type;
}

const json::Type& LeaderElectionSpec::JsonType() {
  static const json::Type type = json::Describe<LeaderElectionSpec>(
      json::Object(json::Field("leaderElect", &LeaderElectionSpec::leader_elect)
                       .Doc("Elect a leader among the scheduler pods with a Lease. Required with "
                            "more than one replica; engine KubeScheduler always elects one.")
                       .Default("true"),
                   json::Field("leaseDuration", &LeaderElectionSpec::lease_duration)
                       .Doc("Time after the last renewal before another pod may become leader.")
                       .Default(R"("15s")")
                       .Rule("duration(self) > duration('0s')", kPositive),
                   json::Field("renewDeadline", &LeaderElectionSpec::renew_deadline)
                       .Doc("Time after which a leader that cannot renew its Lease stops leading.")
                       .Default(R"("10s")")
                       .Rule("duration(self) > duration('0s')", kPositive),
                   json::Field("retryPeriod", &LeaderElectionSpec::retry_period)
                       .Doc("Time between two attempts to acquire or renew the Lease.")
                       .Default(R"("2s")")
                       .Rule("duration(self) > duration('0s')", kPositive))
          .Rule("!has(self.leaderElect) || !self.leaderElect || duration(self.leaseDuration) > "
                "duration(self.renewDeadline)",
                kLeaseOutlastsRenewal)
          .Rule("!has(self.leaderElect) || !self.leaderElect || "
                "duration(self.renewDeadline).getMilliseconds() * 10 > "
                "duration(self.retryPeriod).getMilliseconds() * 12",
                kRenewalOutlastsRetry));
  return type;
}

const json::Type& LoggingSpec::JsonType() {
  static const json::Type type = json::Describe<LoggingSpec>(
      json::Object(json::Field("verbosity", &LoggingSpec::verbosity)
                       .Doc("Log verbosity, like the flag -v of Kubernetes components. From 5 on "
                            "Berth logs the scores of nodes; kube-scheduler does at 10.")
                       .Default("2")
                       .Min(0)
                       .Max(10),
                   json::Field("format", &LoggingSpec::format)
                       .Doc("Log format.")
                       .Default(R"("text")")
                       .OneOf("text|json")));
  return type;
}

const json::Type& NetworkPolicySpec::JsonType() {
  static const json::Type type = json::Describe<NetworkPolicySpec>(
      json::Object(json::Field("enabled", &NetworkPolicySpec::enabled)
                       .Doc("Create a NetworkPolicy that restricts the traffic of scheduler pods: "
                            "the metrics port is open to pods of namespaces with the label "
                            "berth.dev/metrics=allowed, and to the kubelet's probes.")
                       .Default("true")));
  return type;
}

const json::Type& RolloutSpec::JsonType() {
  static const json::Type type = json::Describe<RolloutSpec>(json::Object(
      json::Field("strategy", &RolloutSpec::strategy)
          .Doc("How a running scheduler gets a new configuration. Reload: the scheduler "
               "applies it between two scheduling cycles. Restart: its pods "
               "are replaced and use a new immutable ConfigMap; "
               "engine KubeScheduler always restarts.")
          .Default(R"("Reload")")
          .OneOf("Reload|Restart")));
  return type;
}

}  // namespace berth::crds
