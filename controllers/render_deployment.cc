// SPDX-License-Identifier: Apache-2.0
#include "api/scheduler_contract.h"
#include "controllers/config.h"
#include "controllers/render.h"
#include "crds/pod_parts.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kStartSettingsAnnotation = "berth.dev/start-settings";
constexpr std::string_view kConfigDirectory = "/etc/berth";
constexpr int64_t kGraceSeconds = 15;  // the scheduler waits up to 10 s for binds in flight

api::Volume ConfigVolume(const crds::SchedulerProfile& profile) {
  api::Volume volume{.name = "config"};
  volume.config_map.emplace().name = ObjectName(profile);
  return volume;
}

api::Probe ProbeOf(std::string path, int32_t period, int32_t failures) {
  api::Probe probe = crds::HttpProbe(std::move(path), "metrics");
  probe.timeout_seconds = 5;
  probe.period_seconds = period;
  probe.failure_threshold = failures;
  return probe;
}

// The image's entry point is `berth`; another command is another program, which takes the same
// arguments but no subcommand. Health and metrics are plain HTTP in this version, and the kubelet
// asks at the pod's address, of whichever family: 0.0.0.0 is every address of both, for Berth's
// server as for kube-scheduler's, which cannot listen on :: where the node has no IPv6.
std::vector<std::string> ArgumentsOf(const crds::SchedulerProfile& profile) {
  const crds::SchedulerProfileSpec& spec = profile.spec;
  std::vector<std::string> arguments;
  if (spec.engine.command.empty()) arguments.emplace_back("scheduler");
  arguments.push_back("--config=" + std::string(kConfigDirectory) + "/" +
                      std::string(api::kConfigKey));
  arguments.push_back("--config-map=" + spec.namespace_ + "/" + ObjectName(profile));
  arguments.emplace_back("--bind-address=0.0.0.0");
  arguments.push_back("--secure-port=" + std::to_string(kMetricsPort));
  arguments.push_back("--v=" + std::to_string(spec.logging.verbosity));
  arguments.push_back("--logging-format=" + spec.logging.format);
  arguments.insert(arguments.end(), spec.engine.extra_args.begin(), spec.engine.extra_args.end());
  return arguments;
}

// A quota on requests, as deploy/quota.yaml is, admits no pod without them.
api::ResourceRequirements ResourcesOf(const crds::SchedulerProfile& profile) {
  api::ResourceRequirements resources = profile.spec.deployment.resources;
  // A limit stands for the request that is left out.
  const auto request = [&resources](const char* name, Quantity amount) {
    if (!resources.limits.contains(name)) resources.requests.emplace(name, amount);
  };
  request("cpu", Quantity::FromMilli(50));
  request("memory", Quantity::FromValue(int64_t{64} << 20, Quantity::Format::kBinarySi));
  return resources;
}

api::Container ContainerOf(const RenderInput& input) {
  const crds::SchedulerProfileSpec& spec = input.profile.spec;
  api::Container container;
  container.name = "scheduler";
  container.image = spec.engine.image.empty() ? input.default_image : spec.engine.image;
  container.image_pull_policy = spec.engine.image_pull_policy;
  container.command = spec.engine.command;
  container.args = ArgumentsOf(input.profile);
  container.env = spec.deployment.env;
  container.resources = ResourcesOf(input.profile);
  container.ports = {
      {.name = "metrics", .container_port = kMetricsPort, .host_ip = "", .protocol = "TCP"}};
  container.volume_mounts = {
      {.name = "config", .mount_path = std::string(kConfigDirectory), .read_only = true},
      crds::TokenMount("token")};
  container.liveness_probe = ProbeOf("/livez", 10, 6);
  container.readiness_probe = ProbeOf("/readyz", 5, 3);
  container.security_context = crds::RestrictedContainer();
  // The last lines of the log stand in the pod's status, and from there in the profile's.
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

api::PodTemplateSpec TemplateOf(const RenderInput& input) {
  const crds::SchedulerProfile& profile = input.profile;
  const crds::DeploymentSpec& deployment = profile.spec.deployment;
  api::PodTemplateSpec pod;
  pod.metadata.labels = deployment.pod_labels;
  for (const auto& [key, value] : LabelsOf(profile)) pod.metadata.labels[key] = value;
  pod.metadata.annotations = deployment.pod_annotations;
  pod.metadata.annotations["kubectl.kubernetes.io/default-container"] = "scheduler";
  pod.metadata.annotations[std::string(kStartSettingsAnnotation)] = StartSettingsHashOf(profile);

  api::PodSpec& spec = pod.spec;
  if (!deployment.node_selector.empty()) spec.node_selector = deployment.node_selector;
  if (deployment.affinity) spec.affinity = *deployment.affinity;
  spec.tolerations = deployment.tolerations;
  spec.priority_class_name = deployment.priority_class_name;
  spec.image_pull_secrets = profile.spec.engine.image_pull_secrets;
  spec.service_account_name = ObjectName(profile);
  spec.automount_service_account_token = false;
  spec.termination_grace_period_seconds = kGraceSeconds;
  spec.security_context = crds::RestrictedPod();
  if (deployment.replicas > 1) spec.topology_spread_constraints = {SpreadOverNodes(profile)};
  spec.containers = {ContainerOf(input)};
  spec.volumes = {ConfigVolume(profile), crds::TokenVolume("token")};
  return pod;
}

}  // namespace

// A new template never takes the old scheduler away before the new one is ready.
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
