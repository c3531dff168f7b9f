// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/container.h"
#include "api/meta.h"

namespace berth::api {

// kPodGroupLabel is the pod label with the name of its PodGroup in the same namespace.
inline constexpr std::string_view kPodGroupLabel = "scheduling.x-k8s.io/pod-group";

struct PodGroupSpec {
  int32_t min_member = 0;  // minimum number of pods to schedule together; below 1 counts as 1
  std::optional<ResourceList> min_resources;        // minimum total requests of these pods
  std::optional<int32_t> schedule_timeout_seconds;  // absent or 0: that of the plugin's args

  bool operator==(const PodGroupSpec&) const = default;
  static const json::Type& JsonType();
};

struct PodGroupStatus {
  std::string phase;
  std::string occupied_by;  // owners of its pods, "namespace/name", sorted
  int32_t running = 0, succeeded = 0, failed = 0;
  std::optional<Time> schedule_start_time;

  bool operator==(const PodGroupStatus&) const = default;
  static const json::Type& JsonType();
};

// PodGroup is a set of pods to be scheduled together, such as the workers of a training job.
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
