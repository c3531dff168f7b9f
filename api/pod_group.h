// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/container.h"
#include "api/meta.h"

namespace berth::api {

// kPodGroupLabel names, on a pod, the PodGroup of its namespace that it belongs to.
inline constexpr std::string_view kPodGroupLabel = "scheduling.x-k8s.io/pod-group";

struct PodGroupSpec {
  int32_t min_member = 0;                     // fewer pods are of no use; below 1 counts as 1
  std::optional<ResourceList> min_resources;  // that these pods need together
  std::optional<int32_t> schedule_timeout_seconds;

  bool operator==(const PodGroupSpec&) const = default;
  static const json::Type& JsonType();
};

struct PodGroupStatus {
  std::string phase;
  std::string occupied_by;  // the owners of its pods, "namespace/name", sorted
  int32_t running = 0, succeeded = 0, failed = 0;
  std::optional<Time> schedule_start_time;

  bool operator==(const PodGroupStatus&) const = default;
  static const json::Type& JsonType();
};

// PodGroup is pods of which some are of no use without the others: workers of one training, say.
// Source: scheduler-plugins apis/scheduling/v1alpha1/types.go.
struct PodGroup {
  static constexpr ResourceInfo kResource{.group = "scheduling.x-k8s.io",
                                          .version = "v1alpha1",
                                          .kind = "PodGroup",
                                          .plural = "podgroups",
                                          .namespaced = true};

  ObjectMeta metadata;
  PodGroupSpec spec;
  PodGroupStatus status;

  bool operator==(const PodGroup&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
