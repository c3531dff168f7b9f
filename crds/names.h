// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "api/profile_record.h"

namespace berth::crds {

// Names shared by profiles, manifests and rendered objects.
inline constexpr std::string_view kGroup = api::ProfileRecord::kResource.group;
inline constexpr std::string_view kVersion = api::ProfileRecord::kResource.version;
inline constexpr std::string_view kApiVersion = "berth.dev/v1alpha1";

// Default namespace of the installation.
inline constexpr std::string_view kDefaultNamespace = "berth-system";
// Name of the operator's Deployment, ServiceAccount and Lease.
inline constexpr std::string_view kOperatorName = "berth-operator";
inline constexpr std::string_view kOperatorContainer = "manager";  // of its pods
inline constexpr std::string_view kObjectPrefix = "berth-";  // of everything rendered for a profile
// Prefix of the ClusterRoles that schedulers are bound to.
inline constexpr std::string_view kCapabilityPrefix = "berth:";
inline constexpr std::string_view kOperatorNamespaceRole = "berth:operator-namespace";
inline constexpr std::string_view kProfileLabel = "berth.dev/profile";
// Label of namespaces whose pods may read the schedulers' metrics.
inline constexpr std::string_view kMetricsLabel = "berth.dev/metrics";
inline constexpr std::string_view kMetricsAllowed = "allowed";

inline constexpr std::string_view kDefaultScheduler = "default-scheduler";
// Leaves room for "berth-" in a Service's name, which has at most 63 characters.
inline constexpr int64_t kMaxProfileName = 52;

}  // namespace berth::crds
