// SPDX-License-Identifier: Apache-2.0
#include "api/container.h"

#include "base/names.h"

namespace berth::api {

bool IsExtendedResourceName(std::string_view name) {
  const bool native = name.find('/') == std::string_view::npos ||
                      name.find("kubernetes.io/") != std::string_view::npos;
  if (native || name.starts_with("requests.")) return false;
  // A quota prefixes the resource name with "requests.", and the result must be a valid name.
  return CheckQualifiedName("requests." + std::string(name)).empty();
}

}  // namespace berth::api

namespace berth::api {

const json::Type& ResourceClaimReference::JsonType() {
  static const json::Type type = json::Describe<ResourceClaimReference>(
      json::Object(json::Field("name", &ResourceClaimReference::name)
                       .Doc("Name of an entry of the pod's resourceClaims.")
                       .MaxLength(63)
                       .Required(),
                   json::Field("request", &ResourceClaimReference::request)
                       .Doc("Name of a request in the claim; absent: all of it.")
                       .MaxLength(63)));
  return type;
}

const json::Type& ResourceRequirements::JsonType() {
  static const json::Type type = json::Describe<ResourceRequirements>(
      json::Object(json::Field("requests", &ResourceRequirements::requests)
                       .Doc("Amounts reserved on the node, by resource; default: the limit.")
                       .MaxItems(64),
                   json::Field("limits", &ResourceRequirements::limits)
                       .Doc("Maximum amounts, by resource.")
                       .MaxItems(64),
                   json::Field("claims", &ResourceRequirements::claims)
                       .Doc("Claims of the pod's resourceClaims that the container uses.")
                       .MaxItems(64)));
  return type;
}

const json::Type& ContainerPort::JsonType() {
  static const json::Type type = json::Describe<ContainerPort>(
      json::Object(json::Field("name", &ContainerPort::name),
                   json::Field("containerPort", &ContainerPort::container_port),
                   json::Field("hostPort", &ContainerPort::host_port),
                   json::Field("hostIP", &ContainerPort::host_ip),
                   json::Field("protocol", &ContainerPort::protocol)));
  return type;
}

const json::Type& KeySelector::JsonType() {
  static const json::Type type = json::Describe<KeySelector>(
      json::Object(json::Field("name", &KeySelector::name)
                       .Doc("Name of the Secret or ConfigMap, in the same namespace.")
                       .MaxLength(253),
                   json::Field("key", &KeySelector::key)
                       .Doc("Key whose value is used.")
                       .MaxLength(253)
                       .Required(),
                   json::Field("optional", &KeySelector::optional)
                       .Doc("Whether the container may start without the object or key.")));
  return type;
}

const json::Type& EnvVarSource::JsonType() {
  static const json::Type type = json::Describe<EnvVarSource>(json::Object(
      json::Field("fieldRef", &EnvVarSource::field_ref).Doc("Field of the pod."),
      json::Field("resourceFieldRef", &EnvVarSource::resource_field_ref)
          .Doc("Request or limit of a container."),
      json::Field("configMapKeyRef", &EnvVarSource::config_map_key_ref).Doc("Key of a ConfigMap."),
      json::Field("secretKeyRef", &EnvVarSource::secret_key_ref).Doc("Key of a Secret.")));
  return type;
}

// Printable ASCII except '='. Source: apimachinery util/validation, IsRelaxedEnvVarName.
constexpr const char* kEnvVarNamePattern = "^[ -<>-~]+$";

const json::Type& EnvVar::JsonType() {
  static const json::Type type = json::Describe<EnvVar>(json::Object(
      json::Field("name", &EnvVar::name)
          .Doc("Name of the variable.")
          .MaxLength(253)
          .Pattern(kEnvVarNamePattern)
          .Required(),
      json::Field("value", &EnvVar::value)
          .Doc("Value; $(NAME) is replaced by the value of an earlier variable.")
          .MaxLength(4096),
      json::Field("valueFrom", &EnvVar::value_from).Doc("Source of the value, instead of value.")));
  return type;
}

const json::Type& VolumeMount::JsonType() {
  static const json::Type type = json::Describe<VolumeMount>(json::Object(
      json::Field("name", &VolumeMount::name), json::Field("mountPath", &VolumeMount::mount_path),
      json::Field("subPath", &VolumeMount::sub_path),
      json::Field("readOnly", &VolumeMount::read_only)));
  return type;
}

const json::Type& HttpGetAction::JsonType() {
  static const json::Type type = json::Describe<HttpGetAction>(json::Object(
      json::Field("path", &HttpGetAction::path), json::Field("port", &HttpGetAction::port),
      json::Field("host", &HttpGetAction::host), json::Field("scheme", &HttpGetAction::scheme)));
  return type;
}

const json::Type& TcpSocketAction::JsonType() {
  static const json::Type type = json::Describe<TcpSocketAction>(json::Object(
      json::Field("port", &TcpSocketAction::port), json::Field("host", &TcpSocketAction::host)));
  return type;
}

const json::Type& ExecAction::JsonType() {
  static const json::Type type =
      json::Describe<ExecAction>(json::Object(json::Field("command", &ExecAction::command)));
  return type;
}

const json::Type& GrpcAction::JsonType() {
  static const json::Type type = json::Describe<GrpcAction>(json::Object(
      json::Field("port", &GrpcAction::port), json::Field("service", &GrpcAction::service)));
  return type;
}

const json::Type& Probe::JsonType() {
  static const json::Type type = json::Describe<Probe>(json::Object(
      json::Field("httpGet", &Probe::http_get), json::Field("tcpSocket", &Probe::tcp_socket),
      json::Field("exec", &Probe::exec), json::Field("grpc", &Probe::grpc),
      json::Field("initialDelaySeconds", &Probe::initial_delay_seconds),
      json::Field("timeoutSeconds", &Probe::timeout_seconds),
      json::Field("periodSeconds", &Probe::period_seconds),
      json::Field("successThreshold", &Probe::success_threshold),
      json::Field("failureThreshold", &Probe::failure_threshold)));
  return type;
}

const json::Type& SeccompProfile::JsonType() {
  static const json::Type type = json::Describe<SeccompProfile>(
      json::Object(json::Field("type", &SeccompProfile::type),
                   json::Field("localhostProfile", &SeccompProfile::localhost_profile)));
  return type;
}

const json::Type& Capabilities::JsonType() {
  static const json::Type type = json::Describe<Capabilities>(json::Object(
      json::Field("add", &Capabilities::add), json::Field("drop", &Capabilities::drop)));
  return type;
}

const json::Type& SecurityContext::JsonType() {
  static const json::Type type = json::Describe<SecurityContext>(json::Object(
      json::Field("allowPrivilegeEscalation", &SecurityContext::allow_privilege_escalation),
      json::Field("capabilities", &SecurityContext::capabilities),
      json::Field("privileged", &SecurityContext::privileged),
      json::Field("readOnlyRootFilesystem", &SecurityContext::read_only_root_filesystem),
      json::Field("runAsNonRoot", &SecurityContext::run_as_non_root),
      json::Field("runAsUser", &SecurityContext::run_as_user),
      json::Field("runAsGroup", &SecurityContext::run_as_group),
      json::Field("seccompProfile", &SecurityContext::seccomp_profile)));
  return type;
}

const json::Type& ExitCodesRequirement::JsonType() {
  static const json::Type type = json::Describe<ExitCodesRequirement>(
      json::Object(json::Field("operator", &ExitCodesRequirement::op),
                   json::Field("values", &ExitCodesRequirement::values)));
  return type;
}

const json::Type& ContainerRestartRule::JsonType() {
  static const json::Type type = json::Describe<ContainerRestartRule>(
      json::Object(json::Field("action", &ContainerRestartRule::action),
                   json::Field("exitCodes", &ContainerRestartRule::exit_codes)));
  return type;
}

const json::Type& Container::JsonType() {
  static const json::Type type = json::Describe<Container>(json::Object(
      json::Field("name", &Container::name), json::Field("image", &Container::image),
      json::Field("imagePullPolicy", &Container::image_pull_policy),
      json::Field("command", &Container::command), json::Field("args", &Container::args),
      json::Field("env", &Container::env).ListMap("name"),
      json::Field("resources", &Container::resources),
      json::Field("ports", &Container::ports).ListMap("containerPort,protocol"),
      json::Field("restartPolicy", &Container::restart_policy),
      json::Field("restartPolicyRules", &Container::restart_policy_rules),
      json::Field("volumeMounts", &Container::volume_mounts).ListMap("mountPath"),
      json::Field("livenessProbe", &Container::liveness_probe),
      json::Field("readinessProbe", &Container::readiness_probe),
      json::Field("startupProbe", &Container::startup_probe),
      json::Field("securityContext", &Container::security_context),
      json::Field("terminationMessagePolicy", &Container::termination_message_policy)));
  return type;
}

}  // namespace berth::api
