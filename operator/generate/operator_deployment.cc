// SPDX-License-Identifier: Apache-2.0
#include "operator/generate/operator_deployment.h"

#include <utility>

#include "crds/pod_parts.h"
#include "crds/run_spec.h"
#include "operator/generate/operator_meta.h"

namespace berth::operator_ {
namespace {

const char* const kTokenVolume = "kube-api-access";

Quantity Amount(std::string_view text) { return Quantity::Parse(text).value(); }

api::Probe ProbeAt(const std::string& path, int32_t initial_delay_seconds, int32_t period_seconds) {
  api::Probe probe = crds::HttpProbe(path, "health");
  probe.initial_delay_seconds = initial_delay_seconds;
  probe.period_seconds = period_seconds;
  return probe;
}

api::EnvVar FromField(const std::string& name, const std::string& path) {
  return {
      .name = name,
      .value_from = api::EnvVarSource{.field_ref = api::ObjectFieldSelector{.field_path = path}}};
}

api::Container ManagerContainer(const std::string& image) {
  api::Container container{.name = std::string(crds::kOperatorContainer), .image = image};
  container.image_pull_policy = "IfNotPresent";
  container.args = {"operator", "--leader-elect", "--metrics-bind-address=:8080",
                    "--health-probe-bind-address=:8081"};
  container.env = {FromField("POD_NAME", "metadata.name"),
                   FromField("POD_NAMESPACE", "metadata.namespace")};
  container.ports = {{.name = "metrics", .container_port = 8080, .protocol = "TCP"},
                     {.name = "health", .container_port = 8081, .protocol = "TCP"}};
  container.resources.requests = {{"cpu", Amount("10m")}, {"memory", Amount("64Mi")}};
  container.resources.limits = {{"cpu", Amount("500m")}, {"memory", Amount("128Mi")}};
  container.liveness_probe = ProbeAt("/healthz", 15, 20);
  container.readiness_probe = ProbeAt("/readyz", 1, 5);
  container.volume_mounts = {crds::TokenMount(kTokenVolume)};
  api::SecurityContext context = crds::RestrictedContainer();
  context.run_as_non_root = true;
  context.seccomp_profile = api::SeccompProfile{.type = "RuntimeDefault"};
  container.security_context = std::move(context);
  return container;
}

}  // namespace

api::Namespace OperatorNamespace() {
  api::Namespace result{.metadata =
                            crds::InstalledMeta(crds::kDefaultNamespace, kOperatorComponent)};
  for (const char* mode : {"enforce", "audit", "warn"}) {
    result.metadata.labels["pod-security.kubernetes.io/" + std::string(mode)] = "restricted";
  }
  return result;
}

api::ServiceAccount OperatorServiceAccount() {
  return {.metadata = OperatorMeta(), .automount_service_account_token = false};
}

api::Deployment OperatorDeployment(const std::string& image, const std::string& architecture) {
  api::Deployment deployment{.metadata = OperatorMeta()};
  const api::StringMap selector{{"app.kubernetes.io/component", std::string(kOperatorComponent)},
                                {"app.kubernetes.io/name", "berth"}};
  deployment.spec.replicas = 1;
  deployment.spec.selector = api::LabelSelector{.match_labels = selector};

  api::PodTemplateSpec& pod = deployment.spec.template_;
  pod.metadata.labels = deployment.metadata.labels;
  pod.metadata.annotations = {
      {"kubectl.kubernetes.io/default-container", std::string(crds::kOperatorContainer)}};
  pod.spec.containers = {ManagerContainer(image)};
  pod.spec.volumes = {crds::TokenVolume(kTokenVolume)};
  pod.spec.node_selector = crds::LinuxNodes(architecture);
  pod.spec.service_account_name = crds::kOperatorName;
  pod.spec.automount_service_account_token = false;
  pod.spec.priority_class_name = crds::DeploymentSpec{}.priority_class_name;
  pod.spec.termination_grace_period_seconds = 10;
  pod.spec.security_context = crds::RestrictedPod();
  return deployment;
}

}  // namespace berth::operator_
