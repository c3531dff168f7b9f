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

// Containers and their resources. The structs hold a subset of the API's fields.
namespace berth::api {

// ResourceList maps resource names ("cpu", "nvidia.com/gpu") to amounts.
using ResourceList = std::map<std::string, Quantity>;

// Reports whether a qualified name is an extended resource, such as "nvidia.com/gpu": neither a
// native resource of Kubernetes nor a quota name.
bool IsExtendedResourceName(std::string_view name);

struct ResourceClaimReference {
  std::string name;
  std::string request;

  bool operator==(const ResourceClaimReference&) const = default;
  static const json::Type& JsonType();
};

struct ResourceRequirements {
  ResourceList requests;
  ResourceList limits;
  std::vector<ResourceClaimReference> claims;

  bool operator==(const ResourceRequirements&) const = default;
  static const json::Type& JsonType();
};

struct ContainerPort {
  std::string name;
  int32_t container_port = 0;
  int32_t host_port = 0;
  std::string host_ip;
  std::string protocol;  // TCP (the default), UDP, SCTP

  bool operator==(const ContainerPort&) const = default;
  static const json::Type& JsonType();
};

struct KeySelector {
  std::string name;
  std::string key;
  std::optional<bool> optional;

  bool operator==(const KeySelector&) const = default;
  static const json::Type& JsonType();
};

struct EnvVarSource {
  Rare<ObjectFieldSelector> field_ref;
  Rare<ResourceFieldSelector> resource_field_ref;
  Rare<KeySelector> config_map_key_ref;
  Rare<KeySelector> secret_key_ref;

  bool operator==(const EnvVarSource&) const = default;
  static const json::Type& JsonType();
};

struct EnvVar {
  std::string name;
  std::string value;
  Rare<EnvVarSource> value_from;

  bool operator==(const EnvVar&) const = default;
  static const json::Type& JsonType();
};

struct VolumeMount {
  std::string name;
  std::string mount_path;
  std::string sub_path;
  bool read_only = false;

  bool operator==(const VolumeMount&) const = default;
  static const json::Type& JsonType();
};

struct HttpGetAction {
  std::string path;
  IntOrString port;
  std::string host;
  std::string scheme;  // HTTP (the default), HTTPS

  bool operator==(const HttpGetAction&) const = default;
  static const json::Type& JsonType();
};

struct TcpSocketAction {
  IntOrString port;
  std::string host;

  bool operator==(const TcpSocketAction&) const = default;
  static const json::Type& JsonType();
};

struct ExecAction {
  std::vector<std::string> command;

  bool operator==(const ExecAction&) const = default;
  static const json::Type& JsonType();
};

struct GrpcAction {
  int32_t port = 0;
  std::string service;

  bool operator==(const GrpcAction&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

struct SeccompProfile {
  std::string type;  // RuntimeDefault, Unconfined, Localhost
  std::optional<std::string> localhost_profile;

  bool operator==(const SeccompProfile&) const = default;
  static const json::Type& JsonType();
};

struct Capabilities {
  std::vector<std::string> add;
  std::vector<std::string> drop;

  bool operator==(const Capabilities&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

struct ExitCodesRequirement {
  std::string op;  // In, NotIn
  std::vector<int32_t> values;

  bool operator==(const ExitCodesRequirement&) const = default;
  static const json::Type& JsonType();
};

struct ContainerRestartRule {
  std::string action;
  std::optional<ExitCodesRequirement> exit_codes;

  bool operator==(const ContainerRestartRule&) const = default;
  static const json::Type& JsonType();
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
  std::string restart_policy;  // Always makes an init container a sidecar container
  std::vector<ContainerRestartRule> restart_policy_rules;
  std::vector<VolumeMount> volume_mounts;
  Rare<Probe> liveness_probe;
  Rare<Probe> readiness_probe;
  Rare<Probe> startup_probe;
  Rare<SecurityContext> security_context;
  Rare<std::string> termination_message_policy;  // File (the default), FallbackToLogsOnError

  bool operator==(const Container&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
