// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/names.h"

// The protocol between the operator and a scheduler: the names that both must know.
namespace berth::api {

// Keys of the ConfigMap that the operator renders, mounted as files into the scheduler's pod. The
// second one is the last configuration that a scheduler reported as running.
inline constexpr std::string_view kConfigKey = "scheduler-config.yaml";
inline constexpr std::string_view kLastGoodKey = "last-good.yaml";

// Annotations of the scheduler's Lease: the reporter (holder) of the other annotations, the hash of
// the running configuration, the settings that need a restart to take effect, the error and the
// hash of a rejected configuration, errors of its metric sources, API kinds that its plugins read
// but that are not installed, and the number of pending pods. A new holder keeps unknown
// annotations, as kube-scheduler does, so the annotations are valid only while the reporter holds
// the Lease.
inline constexpr std::string_view kReporterAnnotation = "berth.dev/reporter";
inline constexpr std::string_view kAppliedConfigHashAnnotation = "berth.dev/applied-config-hash";
inline constexpr std::string_view kConfigNeedsRestartAnnotation = "berth.dev/config-needs-restart";
inline constexpr std::string_view kConfigErrorAnnotation = "berth.dev/config-error";
inline constexpr std::string_view kConfigErrorHashAnnotation = "berth.dev/config-error-hash";
inline constexpr std::string_view kMetricSourcesAnnotation = "berth.dev/metric-sources";
inline constexpr std::string_view kAbsentKindsAnnotation = "berth.dev/absent-kinds";
inline constexpr std::string_view kPendingPodsAnnotation = "berth.dev/pending-pods";

// Annotation of a SchedulerProfile, with the value "true": the operator writes only its status. A
// scheduler then takes over what other clients write into its ConfigMap.
inline constexpr std::string_view kPausedAnnotation = "berth.dev/paused";
inline constexpr std::string_view kPausedValue = "true";

// Returns the hash of a configuration text. The operator writes it into status, the scheduler into
// its Lease. 16 hexadecimal digits, equal on every machine.
inline std::string ConfigHash(std::string_view configuration) { return HashHex(configuration); }

// PluginPermission is one RBAC rule that a scheduler or a plugin needs. `capability` is the shipped
// ClusterRole that contains it (berth:<capability>).
struct PluginPermission {
  std::string_view capability;
  std::string_view group;  // "" is the core group
  std::string_view resource;
  std::string_view verbs;  // separated by ','
  bool operator==(const PluginPermission&) const = default;
};

// kBaseCapability is the ClusterRole (berth:base) that every scheduler is bound to.
inline constexpr std::string_view kBaseCapability = "base";

}  // namespace berth::api
