// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "api/volume.h"
#include "base/int_or_string.h"
#include "base/quantity.h"

namespace berth::api {

// ResourceList maps a resource's name ("cpu", "nvidia.com/gpu") to an amount.
using ResourceList = std::map<std::string, Quantity>;

// IsExtendedResourceName says whether a qualified name is a resource that is neither Kubernetes'
// own nor a quota's: "nvidia.com/gpu".
bool IsExtendedResourceName(std::string_view name);

struct ResourceClaimReference {
  std::string name;
  std::string request;

  bool operator==(const ResourceClaimReference&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &ResourceClaimReference::name).MaxLength(63).Required(),
                        json::Field("request", &ResourceClaimReference::request).MaxLength(63));
  }
};

struct ResourceRequirements {
  ResourceList requests;
  ResourceList limits;
  std::vector<ResourceClaimReference> claims;

  bool operator==(const ResourceRequirements&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("requests", &ResourceRequirements::requests).MaxItems(64),
                        json::Field("limits", &ResourceRequirements::limits).MaxItems(64),
                        json::Field("claims", &ResourceRequirements::claims).MaxItems(64));
  }
};

struct ContainerPort {
  std::string name;
  int32_t container_port = 0;
  int32_t host_port = 0;
  std::string host_ip;
  std::string protocol;  // TCP (the default), UDP, SCTP

  bool operator==(const ContainerPort&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &ContainerPort::name),
                        json::Field("containerPort", &ContainerPort::container_port),
                        json::Field("hostPort", &ContainerPort::host_port),
                        json::Field("hostIP", &ContainerPort::host_ip),
                        json::Field("protocol", &ContainerPort::protocol));
  }
};

struct KeySelector {
  std::string name;
  std::string key;
  std::optional<bool> optional;

  bool operator==(const KeySelector&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &KeySelector::name).MaxLength(253),
                        json::Field("key", &KeySelector::key).MaxLength(253).Required(),
                        json::Field("optional", &KeySelector::optional));
  }
};

struct EnvVarSource {
  Rare<ObjectFieldSelector> field_ref;
  Rare<ResourceFieldSelector> resource_field_ref;
  Rare<KeySelector> config_map_key_ref;
  Rare<KeySelector> secret_key_ref;

  bool operator==(const EnvVarSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("fieldRef", &EnvVarSource::field_ref),
                        json::Field("resourceFieldRef", &EnvVarSource::resource_field_ref),
                        json::Field("configMapKeyRef", &EnvVarSource::config_map_key_ref),
                        json::Field("secretKeyRef", &EnvVarSource::secret_key_ref));
  }
};

struct EnvVar {
  std::string name;
  std::string value;
  Rare<EnvVarSource> value_from;

  bool operator==(const EnvVar&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &EnvVar::name).MaxLength(253).Required(),
                        json::Field("value", &EnvVar::value).MaxLength(4096),
                        json::Field("valueFrom", &EnvVar::value_from));
  }
};

struct VolumeMount {
  std::string name;
  std::string mount_path;
  std::string sub_path;
  bool read_only = false;

  bool operator==(const VolumeMount&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &VolumeMount::name),
                        json::Field("mountPath", &VolumeMount::mount_path),
                        json::Field("subPath", &VolumeMount::sub_path),
                        json::Field("readOnly", &VolumeMount::read_only));
  }
};

struct HttpGetAction {
  std::string path;
  IntOrString port;
  std::string host;
  std::string scheme;  // HTTP (the default), HTTPS

  bool operator==(const HttpGetAction&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("path", &HttpGetAction::path), json::Field("port", &HttpGetAction::port),
        json::Field("host", &HttpGetAction::host), json::Field("scheme", &HttpGetAction::scheme));
  }
};

struct TcpSocketAction {
  IntOrString port;
  std::string host;

  bool operator==(const TcpSocketAction&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("port", &TcpSocketAction::port),
                        json::Field("host", &TcpSocketAction::host));
  }
};

struct ExecAction {
  std::vector<std::string> command;

  bool operator==(const ExecAction&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("command", &ExecAction::command));
  }
};

struct GrpcAction {
  int32_t port = 0;
  std::string service;

  bool operator==(const GrpcAction&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("port", &GrpcAction::port),
                        json::Field("service", &GrpcAction::service));
  }
};

struct Probe {
  Rare<HttpGetAction> http_get;
  Rare<TcpSocketAction> tcp_socket;
  Rare<ExecAction> exec;
  Rare<GrpcAction> grpc;
  int32_t initial_delay_seconds = 0;
  int32_t timeout_seconds = 0;
  int32_t period_seconds = 0;
  int32_t success_threshold = 0;
  int32_t failure_threshold = 0;

  bool operator==(const Probe&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("httpGet", &Probe::http_get),
                        json::Field("tcpSocket", &Probe::tcp_socket),
                        json::Field("exec", &Probe::exec), json::Field("grpc", &Probe::grpc),
                        json::Field("initialDelaySeconds", &Probe::initial_delay_seconds),
                        json::Field("timeoutSeconds", &Probe::timeout_seconds),
                        json::Field("periodSeconds", &Probe::period_seconds),
                        json::Field("successThreshold", &Probe::success_threshold),
                        json::Field("failureThreshold", &Probe::failure_threshold));
  }
};

struct SeccompProfile {
  std::string type;  // RuntimeDefault, Unconfined, Localhost
  std::optional<std::string> localhost_profile;

  bool operator==(const SeccompProfile&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("type", &SeccompProfile::type),
                        json::Field("localhostProfile", &SeccompProfile::localhost_profile));
  }
};

struct Capabilities {
  std::vector<std::string> add;
  std::vector<std::string> drop;

  bool operator==(const Capabilities&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("add", &Capabilities::add),
                        json::Field("drop", &Capabilities::drop));
  }
};

struct SecurityContext {
  std::optional<bool> allow_privilege_escalation;
  std::optional<Capabilities> capabilities;
  std::optional<bool> privileged;
  std::optional<bool> read_only_root_filesystem;
  std::optional<bool> run_as_non_root;
  std::optional<int64_t> run_as_user;
  std::optional<int64_t> run_as_group;
  std::optional<SeccompProfile> seccomp_profile;

  bool operator==(const SecurityContext&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("allowPrivilegeEscalation", &SecurityContext::allow_privilege_escalation),
        json::Field("capabilities", &SecurityContext::capabilities),
        json::Field("privileged", &SecurityContext::privileged),
        json::Field("readOnlyRootFilesystem", &SecurityContext::read_only_root_filesystem),
        json::Field("runAsNonRoot", &SecurityContext::run_as_non_root),
        json::Field("runAsUser", &SecurityContext::run_as_user),
        json::Field("runAsGroup", &SecurityContext::run_as_group),
        json::Field("seccompProfile", &SecurityContext::seccomp_profile));
  }
};

struct ExitCodesRequirement {
  std::string op;  // In, NotIn
  std::vector<int32_t> values;

  bool operator==(const ExitCodesRequirement&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("operator", &ExitCodesRequirement::op),
                        json::Field("values", &ExitCodesRequirement::values));
  }
};

struct ContainerRestartRule {
  std::string action;
  std::optional<ExitCodesRequirement> exit_codes;

  bool operator==(const ContainerRestartRule&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("action", &ContainerRestartRule::action),
                        json::Field("exitCodes", &ContainerRestartRule::exit_codes));
  }
};

struct Container {
  std::string name;
  std::string image;
  std::string image_pull_policy;
  std::vector<std::string> command;
  std::vector<std::string> args;
  std::vector<EnvVar> env;
  ResourceRequirements resources;
  std::vector<ContainerPort> ports;
  std::string restart_policy;  // Always makes an init container a sidecar
  std::vector<ContainerRestartRule> restart_policy_rules;
  std::vector<VolumeMount> volume_mounts;
  Rare<Probe> liveness_probe;
  Rare<Probe> readiness_probe;
  Rare<Probe> startup_probe;
  Rare<SecurityContext> security_context;

  bool operator==(const Container&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &Container::name), json::Field("image", &Container::image),
        json::Field("imagePullPolicy", &Container::image_pull_policy),
        json::Field("command", &Container::command), json::Field("args", &Container::args),
        json::Field("env", &Container::env), json::Field("resources", &Container::resources),
        json::Field("ports", &Container::ports),
        json::Field("restartPolicy", &Container::restart_policy),
        json::Field("restartPolicyRules", &Container::restart_policy_rules),
        json::Field("volumeMounts", &Container::volume_mounts),
        json::Field("livenessProbe", &Container::liveness_probe),
        json::Field("readinessProbe", &Container::readiness_probe),
        json::Field("startupProbe", &Container::startup_probe),
        json::Field("securityContext", &Container::security_context));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::Container);
