// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/names.h"

// What the operator and a scheduler tell each other, and how: the only words that both must know.
namespace berth::api {

// Keys of the ConfigMap that the operator renders; mounted into the scheduler's pod they are file
// names. The second text is the last one that a scheduler reported to run.
inline constexpr std::string_view kConfigKey = "scheduler-config.yaml";
inline constexpr std::string_view kLastGoodKey = "last-good.yaml";

// Annotations of the scheduler's Lease: who says the rest of them, the hash of the text that runs,
// which of its settings the process takes over only when it starts again, why another text was
// refused, the hash of that text, what is wrong with the metric sources that it names, which kinds
// its plugins read are not installed, and how many pods wait. Whoever takes a Lease leaves
// annotations that it does not know as they are, as kube-scheduler does, so they count only while
// the reporter holds the Lease.
inline constexpr std::string_view kReporterAnnotation = "berth.dev/reporter";
inline constexpr std::string_view kAppliedConfigHashAnnotation = "berth.dev/applied-config-hash";
inline constexpr std::string_view kConfigNeedsRestartAnnotation = "berth.dev/config-needs-restart";
inline constexpr std::string_view kConfigErrorAnnotation = "berth.dev/config-error";
inline constexpr std::string_view kConfigErrorHashAnnotation = "berth.dev/config-error-hash";
inline constexpr std::string_view kMetricSourcesAnnotation = "berth.dev/metric-sources";
inline constexpr std::string_view kAbsentKindsAnnotation = "berth.dev/absent-kinds";
inline constexpr std::string_view kPendingPodsAnnotation = "berth.dev/pending-pods";

// ConfigHash names the text of a configuration: the operator writes it into status, the scheduler
// into its Lease. Equal texts, equal hashes, on every machine; 16 hexadecimal digits.
inline std::string ConfigHash(std::string_view configuration) { return HashHex(configuration); }

// PluginPermission is one rule of what a scheduler, or one of its plugins, needs of the API server.
// `capability` names the shipped ClusterRole it belongs to (berth:<capability>).
struct PluginPermission {
  std::string_view capability;
  std::string_view group;  // "" is the core group
  std::string_view resource;
  std::string_view verbs;  // separated by ','
  bool operator==(const PluginPermission&) const = default;
};

// kBaseCapability is the ClusterRole (berth:base) that every scheduler is bound to, whatever its
// plugins.
inline constexpr std::string_view kBaseCapability = "base";

}  // namespace berth::api
