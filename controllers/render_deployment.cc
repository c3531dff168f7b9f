// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "api/outbound_address.h"
#include "api/scheduler_contract.h"
#include "base/strings.h"
#include "controllers/config.h"
#include "controllers/mounted_secrets.h"
#include "controllers/render.h"
#include "crds/pod_parts.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kStartSettingsAnnotation = "berth.dev/start-settings";
constexpr std::string_view kConfigDirectory =
    api::kMountedFolder.substr(0, api::kMountedFolder.size() - 1);
constexpr int64_t kGraceSeconds = 15;  // the scheduler waits up to 10 s for running binds

api::Volume ConfigVolume(const RenderInput& input) {
  api::Volume volume{.name = "config"};
  const std::string name = ConfigMapName(input.profile, input.version);
  std::vector<api::VolumeProjection> sources = SecretProjections(input.profile);
  if (sources.empty()) {
    volume.config_map.emplace().name = name;
    return volume;
  }
  sources.emplace_back().config_map.emplace().name = name;
  volume.projected.emplace().sources = std::move(sources);
  return volume;
}

// kube-scheduler only serves TLS, with a certificate that it creates in memory.
api::Probe ProbeOf(const crds::EngineSpec& engine, std::string path, int32_t period,
                   int32_t failures) {
  api::Probe probe = crds::HttpProbe(std::move(path), "metrics");
  if (engine.IsKubeScheduler()) probe.http_get.Edit().scheme = "HTTPS";
  probe.timeout_seconds = 5;
  probe.period_seconds = period;
  probe.failure_threshold = failures;
  return probe;
}

// The entry point of Berth's image is `berth`. Other images of kube-scheduler need not have the
// stock image's entry point, so its command is always set.
std::vector<std::string> CommandOf(const crds::EngineSpec& engine) {
  if (engine.command.empty() && engine.IsKubeScheduler()) return {"kube-scheduler"};
  return engine.command;
}

// Adds the arguments that depend on the engine. A Berth scheduler gets the ConfigMap to follow, or
// its Lease, which it holds even without leader election. It calls only the listed sidecars on its
// own host. A kube-scheduler finds its Lease in its configuration.
void AddArgumentsOfEngine(const crds::SchedulerProfile& profile,
                          std::vector<std::string>& arguments) {
  const std::string own = profile.spec.namespace_ + "/" + ObjectName(profile);
  if (profile.spec.engine.IsKubeScheduler()) {
    // Otherwise it reads the cluster's CA bundle in kube-system, for which it has no permission.
    // Clients that read its metrics authenticate with a token. Source: apiserver
    // pkg/server/options/authentication.go, ApplyTo.
    arguments.emplace_back("--authentication-skip-lookup=true");
    return;
  }
  if (IsVersioned(profile)) {
    arguments.push_back("--lease=" + own);
  } else {
    arguments.push_back("--config-map=" + own);
  }
  std::vector<std::string> ports;
  for (const uint16_t port : crds::SidecarPortsOf(profile.spec.deployment.sidecars)) {
    ports.push_back(std::to_string(port));
  }
  if (!ports.empty()) arguments.push_back("--sidecar-ports=" + Join(ports, ","));
}

// The image's entry point is `berth`; another command is another program, with the same arguments
// but without a subcommand. Health and metrics are plain HTTP in this version, and the kubelet
// connects to the pod's IPv4 or IPv6 address. 0.0.0.0 means all addresses of both families, for
// Berth's server as for kube-scheduler's, which cannot listen on :: if the node has no IPv6.
std::vector<std::string> ArgumentsOf(const crds::SchedulerProfile& profile) {
  const crds::SchedulerProfileSpec& spec = profile.spec;
  std::vector<std::string> arguments;
  if (CommandOf(spec.engine).empty()) arguments.emplace_back("scheduler");
  arguments.push_back("--config=" + std::string(kConfigDirectory) + "/" +
                      std::string(api::kConfigKey));
  AddArgumentsOfEngine(profile, arguments);
  arguments.emplace_back("--bind-address=0.0.0.0");
  arguments.push_back("--secure-port=" + std::to_string(kMetricsPort));
  arguments.push_back("--v=" + std::to_string(spec.logging.verbosity));
  arguments.push_back("--logging-format=" + spec.logging.format);
  arguments.insert(arguments.end(), spec.engine.extra_args.begin(), spec.engine.extra_args.end());
  return arguments;
}

// A quota on requests, such as the one in deploy/install.yaml, rejects pods without requests.
api::ResourceRequirements WithRequests(api::ResourceRequirements resources) {
  // A limit also sets a missing request.
  const auto request = [&resources](const char* name, Quantity amount) {
    if (!resources.limits.contains(name)) resources.requests.emplace(name, amount);
  };
  request("cpu", Quantity::FromMilli(50));
  request("memory", Quantity::FromValue(int64_t{64} << 20, Quantity::Format::kBinarySi));
  return resources;
}

bool RunsDefaultImage(const crds::SchedulerProfile& profile) {
  return profile.spec.engine.image.empty();
}

api::Container ContainerOf(const RenderInput& input) {
  const crds::SchedulerProfileSpec& spec = input.profile.spec;
  api::Container container;
  container.name = "scheduler";
  container.image = RunsDefaultImage(input.profile) ? input.default_image.name : spec.engine.image;
  container.image_pull_policy = spec.engine.image_pull_policy;
  container.command = CommandOf(spec.engine);
  container.args = ArgumentsOf(input.profile);
  container.env = spec.deployment.env;
  container.resources = WithRequests(spec.deployment.resources);
  container.ports = {
      {.name = "metrics", .container_port = kMetricsPort, .host_ip = "", .protocol = "TCP"}};
  container.volume_mounts = {
      {.name = "config", .mount_path = std::string(kConfigDirectory), .read_only = true},
      crds::TokenMount("token")};
  container.liveness_probe = ProbeOf(spec.engine, input.health_paths.live, 10, 6);
  container.readiness_probe = ProbeOf(spec.engine, input.health_paths.ready, 5, 3);
  container.security_context = crds::RestrictedContainer();
  // The last log lines become part of the pod's status, and from there of the profile's.
  container.termination_message_policy = std::string("FallbackToLogsOnError");
  return container;
}

// It has no volumes, so it can read neither the token nor the scheduler's configuration. It has no
// probes, since it may listen on the loopback address only.
api::Container ContainerOf(const crds::Sidecar& sidecar) {
  api::Container container;
  container.name = sidecar.name;
  container.image = sidecar.image;
  container.image_pull_policy = "IfNotPresent";
  container.command = sidecar.command;
  container.args = sidecar.args;
  container.env = sidecar.env;
  container.resources = WithRequests(sidecar.resources);
  container.ports = {{.container_port = sidecar.port, .protocol = "TCP"}};
  container.security_context = crds::RestrictedContainerAsNonroot();
  container.termination_message_policy = std::string("FallbackToLogsOnError");
  return container;
}

api::TopologySpreadConstraint SpreadOverNodes(const crds::SchedulerProfile& profile) {
  api::TopologySpreadConstraint spread;
  spread.max_skew = 1;
  spread.topology_key = "kubernetes.io/hostname";
  spread.when_unsatisfiable = "ScheduleAnyway";
  spread.label_selector.emplace().match_labels = SelectorOf(profile);
  return spread;
}

// Adds the annotations that replace the pods when settings change that are read only at start.
void AnnotateConfiguration(const RenderInput& input, api::StringMap& annotations) {
  if (input.version.empty()) {
    annotations[std::string(kStartSettingsAnnotation)] = StartSettingsHashOf(input.profile);
  } else {
    annotations[std::string(kConfigVersionAnnotation)] = input.version;
  }
}

// Only the profile knows the architecture of an image that it names.
api::StringMap NodeSelectorOf(const RenderInput& input) {
  api::StringMap selector = input.profile.spec.deployment.node_selector;
  selector.merge(
      crds::LinuxNodes(RunsDefaultImage(input.profile) ? input.default_image.architecture : ""));
  return selector;
}

std::vector<api::LocalObjectReference> PullSecretsOf(const RenderInput& input) {
  const crds::SchedulerProfileSpec& spec = input.profile.spec;
  std::vector<api::LocalObjectReference> secrets = spec.engine.image_pull_secrets;
  if (!RunsDefaultImage(input.profile) ||
      spec.namespace_ != input.default_image.secrets_namespace) {
    return secrets;
  }
  for (const api::LocalObjectReference& secret : input.default_image.pull_secrets) {
    if (std::ranges::find(secrets, secret) == secrets.end()) secrets.push_back(secret);
  }
  return secrets;
}

// Berth's own image specifies its user. Other images, including the stock kube-scheduler's, may run
// as root, or as a user whose number only the image knows.
api::PodSecurityContext SecurityContextOf(const crds::SchedulerProfile& profile) {
  const bool is_own = RunsDefaultImage(profile) && !profile.spec.engine.IsKubeScheduler();
  return is_own ? crds::RestrictedPod() : crds::RestrictedPodAsNonroot();
}

api::PodTemplateSpec TemplateOf(const RenderInput& input) {
  const crds::SchedulerProfile& profile = input.profile;
  const crds::DeploymentSpec& deployment = profile.spec.deployment;
  api::PodTemplateSpec pod;
  pod.metadata.labels = deployment.pod_labels;
  for (const auto& [key, value] : LabelsOf(profile)) pod.metadata.labels[key] = value;
  pod.metadata.annotations = deployment.pod_annotations;
  pod.metadata.annotations["kubectl.kubernetes.io/default-container"] = "scheduler";
  AnnotateConfiguration(input, pod.metadata.annotations);

  api::PodSpec& spec = pod.spec;
  spec.node_selector = NodeSelectorOf(input);
  if (deployment.affinity) spec.affinity = *deployment.affinity;
  spec.tolerations = deployment.tolerations;
  spec.priority_class_name = deployment.priority_class_name;
  spec.image_pull_secrets = PullSecretsOf(input);
  spec.service_account_name = ObjectName(profile);
  spec.automount_service_account_token = false;
  spec.termination_grace_period_seconds = kGraceSeconds;
  spec.security_context = SecurityContextOf(profile);
  if (deployment.replicas > 1) spec.topology_spread_constraints = {SpreadOverNodes(profile)};
  spec.containers = {ContainerOf(input)};
  for (const crds::Sidecar& sidecar : deployment.sidecars) {
    spec.containers.push_back(ContainerOf(sidecar));
  }
  spec.volumes = {ConfigVolume(input), crds::TokenVolume("token")};
  return pod;
}

}  // namespace

// A new template never removes the old scheduler before the new one is ready.
api::Deployment RenderDeployment(const RenderInput& input) {
  const crds::SchedulerProfile& profile = input.profile;
  api::Deployment deployment;
  deployment.metadata = MetadataOf(profile, ObjectName(profile), profile.spec.namespace_);
  deployment.spec.replicas = profile.spec.suspend ? 0 : profile.spec.deployment.replicas;
  deployment.spec.selector = api::LabelSelector{.match_labels = SelectorOf(profile)};
  deployment.spec.template_ = TemplateOf(input);
  deployment.spec.strategy.type = "RollingUpdate";
  deployment.spec.strategy.rolling_update =
      api::RollingUpdateDeployment{.max_unavailable = IntOrString(0), .max_surge = IntOrString(1)};
  deployment.spec.revision_history_limit = 3;
  deployment.spec.progress_deadline_seconds = 300;
  return deployment;
}

}  // namespace berth::controllers
