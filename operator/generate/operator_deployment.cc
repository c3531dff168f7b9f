// SPDX-License-Identifier: Apache-2.0
#include "operator/generate/operator_deployment.h"

#include <utility>

#include "crds/manifest.h"
#include "crds/names.h"

namespace berth::operator_ {
namespace {

constexpr std::string_view kComponent = "operator";
constexpr int64_t kUser = 65532;
constexpr int64_t kTokenSeconds = 3607;
const char* const kTokenVolume = "kube-api-access";
const char* const kTokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";

api::ObjectMeta NamespacedMeta() {
  api::ObjectMeta meta = crds::InstalledMeta(crds::kOperatorName, kComponent);
  meta.namespace_ = crds::kDefaultNamespace;
  return meta;
}

api::SeccompProfile DefaultSeccomp() { return {.type = "RuntimeDefault"}; }

Quantity Amount(std::string_view text) { return Quantity::Parse(text).value(); }

api::Probe ProbeAt(const std::string& path, int32_t initial_delay_seconds, int32_t period_seconds) {
  return {
      .http_get = api::HttpGetAction{.path = path, .port = IntOrString::Parse("health").value()},
      .initial_delay_seconds = initial_delay_seconds,
      .period_seconds = period_seconds};
}

api::EnvVar FromField(const std::string& name, const std::string& path) {
  return {
      .name = name,
      .value_from = api::EnvVarSource{.field_ref = api::ObjectFieldSelector{.field_path = path}}};
}

// The token that a pod gets by default, but short-lived and with the mode the restricted user
// needs.
api::Volume TokenVolume() {
  api::VolumeProjection token;
  token.service_account_token =
      api::ServiceAccountTokenProjection{.expiration_seconds = kTokenSeconds, .path = "token"};
  api::VolumeProjection ca;
  ca.config_map = api::ConfigMapProjection{.name = "kube-root-ca.crt",
                                           .items = {{.key = "ca.crt", .path = "ca.crt"}}};
  api::VolumeProjection namespace_file;
  namespace_file.downward_api = api::DownwardApiProjection{
      .items = {{.path = "namespace",
                 .field_ref = api::ObjectFieldSelector{.field_path = "metadata.namespace"}}}};
  return {.name = kTokenVolume,
          .projected = api::ProjectedVolumeSource{
              .sources = {std::move(token), std::move(ca), std::move(namespace_file)}}};
}

api::Container ManagerContainer(const std::string& image) {
  api::Container container{.name = "manager", .image = image};
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
  container.readiness_probe = ProbeAt("/readyz", 5, 10);
  container.volume_mounts = {{.name = kTokenVolume, .mount_path = kTokenPath, .read_only = true}};
  container.security_context =
      api::SecurityContext{.allow_privilege_escalation = false,
                           .capabilities = api::Capabilities{.drop = {"ALL"}},
                           .read_only_root_filesystem = true,
                           .run_as_non_root = true,
                           .seccomp_profile = DefaultSeccomp()};
  return container;
}

}  // namespace

api::Namespace OperatorNamespace() {
  api::Namespace result{.metadata = crds::InstalledMeta(crds::kDefaultNamespace, kComponent)};
  for (const char* mode : {"enforce", "audit", "warn"}) {
    result.metadata.labels["pod-security.kubernetes.io/" + std::string(mode)] = "restricted";
  }
  return result;
}

api::ServiceAccount OperatorServiceAccount() {
  return {.metadata = NamespacedMeta(), .automount_service_account_token = false};
}

api::Deployment OperatorDeployment(const std::string& image) {
  api::Deployment deployment{.metadata = NamespacedMeta()};
  const api::StringMap selector{{"app.kubernetes.io/component", std::string(kComponent)},
                                {"app.kubernetes.io/name", "berth"}};
  deployment.spec.replicas = 1;
  deployment.spec.selector = api::LabelSelector{.match_labels = selector};

  api::PodTemplateSpec& pod = deployment.spec.template_;
  pod.metadata.labels = deployment.metadata.labels;
  pod.metadata.annotations = {{"kubectl.kubernetes.io/default-container", "manager"}};
  pod.spec.containers = {ManagerContainer(image)};
  pod.spec.volumes = {TokenVolume()};
  pod.spec.service_account_name = crds::kOperatorName;
  pod.spec.automount_service_account_token = false;
  pod.spec.priority_class_name = "system-cluster-critical";
  pod.spec.termination_grace_period_seconds = 10;
  pod.spec.security_context = api::PodSecurityContext{.run_as_non_root = true,
                                                      .run_as_user = kUser,
                                                      .run_as_group = kUser,
                                                      .fs_group = kUser,
                                                      .seccomp_profile = DefaultSeccomp()};
  return deployment;
}

}  // namespace berth::operator_
