// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"

namespace berth::api {

struct GangSchedulingPolicy {
  int32_t min_count = 0;  // pods that are placed together; at least 1

  bool operator==(const GangSchedulingPolicy&) const = default;
  static const json::Type& JsonType();
};

// PodGroupSchedulingPolicy has one policy: gang, or basic if gang is absent. The pods of a basic
// group are placed as far as they fit.
struct PodGroupSchedulingPolicy {
  std::optional<GangSchedulingPolicy> gang;

  bool operator==(const PodGroupSchedulingPolicy&) const = default;
  static const json::Type& JsonType();
};

struct TopologyConstraint {
  std::string key;  // label of nodes

  bool operator==(const TopologyConstraint&) const = default;
  static const json::Type& JsonType();
};

struct PodGroupSchedulingConstraints {
  std::vector<TopologyConstraint> topology;  // at most one

  bool operator==(const PodGroupSchedulingConstraints&) const = default;
  static const json::Type& JsonType();
};

struct PodGroupResourceClaim {
  std::string name;

  bool operator==(const PodGroupResourceClaim&) const = default;
  static const json::Type& JsonType();
};

struct NativePodGroupSpec {
  PodGroupSchedulingPolicy scheduling_policy;
  std::optional<PodGroupSchedulingConstraints> scheduling_constraints;
  std::vector<PodGroupResourceClaim> resource_claims;
  // An object with one member, "single" or "all"; in v1alpha2 one of the texts "Pod" and "PodGroup".
  json::Raw disruption_mode;
  std::optional<int32_t> priority;  // absent: 0

  // Reports whether the placed pods are only preempted all together.
  bool IsDisruptedTogether() const;

  bool operator==(const NativePodGroupSpec&) const = default;
  static const json::Type& JsonType();
};

struct NativePodGroupStatus {
  std::vector<Condition> conditions;

  bool operator==(const NativePodGroupStatus&) const = default;
  static const json::Type& JsonType();
};

// NativePodGroup is Kubernetes' own PodGroup: pods that name it in spec.schedulingGroup are
// scheduled in one cycle. Source: k8s.io/api scheduling/v1beta1/types.go of 1.37, v1alpha2 of 1.36.
struct NativePodGroup {
  static constexpr ResourceInfo kResource{.group = "scheduling.k8s.io",
                                          .version = "v1beta1",
                                          .kind = "PodGroup",
                                          .plural = "podgroups",
                                          .namespaced = true};
  // The version for API servers that do not serve v1beta1.
  static constexpr std::string_view kOldVersion = "v1alpha2";
  static constexpr std::array kOldVersions = {kOldVersion};
  // The condition for the result of scheduling, in v1beta1 and in v1alpha2.
  static constexpr std::string_view kScheduled = "PodGroupInitiallyScheduled";
  static constexpr std::string_view kScheduledInOldVersion = "PodGroupScheduled";

  std::string api_version;  // the version in which it was read
  std::string kind;
  ObjectMeta metadata;
  NativePodGroupSpec spec;
  NativePodGroupStatus status;

  bool operator==(const NativePodGroup&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
