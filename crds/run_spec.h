// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/affinity.h"
#include "api/container.h"
#include "api/meta.h"
#include "api/pod.h"
#include "base/json/json.h"
#include "base/time.h"
#include "crds/sidecar.h"

namespace berth::crds {

// The parts of a profile that configure the scheduler's program and its pods.

struct EngineSpec {
  static constexpr std::string_view kBerth = "Berth";
  static constexpr std::string_view kKubeScheduler = "KubeScheduler";

  std::string type = std::string(kBerth);
  std::string image;
  std::string image_pull_policy = "IfNotPresent";
  std::vector<api::LocalObjectReference> image_pull_secrets;
  std::vector<std::string> command;
  std::vector<std::string> extra_args;
  std::vector<std::string> cluster_roles;
  bool operator==(const EngineSpec&) const = default;

  bool IsKubeScheduler() const { return type == kKubeScheduler; }

  static constexpr std::string_view kCommandNeedsImage =
      "command needs an image: the default image has no other program";
  static constexpr std::string_view kOperatorsArguments =
      "the operator sets these itself: -v, config, config-map, kubeconfig, lease, leader-elect, "
      "bind-address, secure-port, sidecar-ports, logging-format, authentication-skip-lookup, "
      "authorization-always-allow-paths";

  static const json::Type& JsonType();
};

struct DeploymentSpec {
  int32_t replicas = 1;
  api::ResourceRequirements resources;
  std::map<std::string, std::string> node_selector;
  std::vector<api::Toleration> tolerations;
  std::optional<api::Affinity> affinity;
  std::string priority_class_name = "system-cluster-critical";
  std::map<std::string, std::string> pod_labels;
  std::map<std::string, std::string> pod_annotations;
  std::vector<api::EnvVar> env;
  std::vector<Sidecar> sidecars;
  bool operator==(const DeploymentSpec&) const = default;

  static constexpr std::string_view kOwnLabels =
      "keys that begin with berth.dev/ or app.kubernetes.io/ are the operator's own";
  static constexpr std::string_view kOwnAnnotations =
      "keys that begin with berth.dev/ are the operator's own";
  static constexpr std::string_view kReservedVariables =
      "variables that control trusted certificates, loaded libraries and the resolver are "
      "reserved: KUBERNETES_*, BERTH_*, LD_*, OPENSSL_*, SSL_CERT_*, KUBECONFIG, HOSTALIASES, "
      "LOCALDOMAIN, RES_OPTIONS, *_PROXY";

  static const json::Type& JsonType();
};

// The API server evaluates rules on a default of {} before it fills in nested defaults, so rules
// must pass while fields are absent.
struct LeaderElectionSpec {
  bool leader_elect = true;
  Duration lease_duration = Duration(std::chrono::seconds(15));
  Duration renew_deadline = Duration(std::chrono::seconds(10));
  Duration retry_period = Duration(std::chrono::seconds(2));
  bool operator==(const LeaderElectionSpec&) const = default;

  static constexpr std::string_view kPositive = "must be greater than zero";
  static constexpr std::string_view kLeaseOutlastsRenewal =
      "leaseDuration must be greater than renewDeadline";
  static constexpr std::string_view kRenewalOutlastsRetry =
      "renewDeadline must be greater than 1.2 times retryPeriod";

  static const json::Type& JsonType();
};

struct LoggingSpec {
  int32_t verbosity = 2;
  std::string format = "text";
  bool operator==(const LoggingSpec&) const = default;

  static const json::Type& JsonType();
};

struct NetworkPolicySpec {
  bool enabled = true;
  bool operator==(const NetworkPolicySpec&) const = default;

  static const json::Type& JsonType();
};

struct RolloutSpec {
  static constexpr std::string_view kReload = "Reload";
  static constexpr std::string_view kRestart = "Restart";

  std::string strategy = std::string(kReload);
  bool operator==(const RolloutSpec&) const = default;

  static const json::Type& JsonType();
};

}  // namespace berth::crds
