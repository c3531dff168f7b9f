// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "base/int_or_string.h"

namespace berth::api {

struct PodDisruptionBudgetSpec {
  std::optional<IntOrString> min_available;
  std::optional<IntOrString> max_unavailable;
  std::optional<LabelSelector> selector;
  std::optional<std::string> unhealthy_pod_eviction_policy;

  bool operator==(const PodDisruptionBudgetSpec&) const = default;
  static const json::Type& JsonType();
};

struct PodDisruptionBudgetStatus {
  int64_t observed_generation = 0;
  // Pods with a granted eviction that still exist.
  std::map<std::string, Time> disrupted_pods;
  int32_t disruptions_allowed = 0;
  int32_t current_healthy = 0;
  int32_t desired_healthy = 0;
  int32_t expected_pods = 0;
  std::vector<Condition> conditions;

  bool operator==(const PodDisruptionBudgetStatus&) const = default;
  static const json::Type& JsonType();
};

struct PodDisruptionBudget {
  static constexpr ResourceInfo kResource{.group = "policy",
                                          .version = "v1",
                                          .kind = "PodDisruptionBudget",
                                          .plural = "poddisruptionbudgets",
                                          .namespaced = true};

  ObjectMeta metadata;
  PodDisruptionBudgetSpec spec;
  PodDisruptionBudgetStatus status;

  bool operator==(const PodDisruptionBudget&) const = default;
  static const json::Type& JsonType();
};

// Eviction is posted to pods/NAME/eviction. The API server deletes the pod if the
// PodDisruptionBudgets allow it.
struct Eviction {
  ObjectMeta metadata;  // name and namespace of the pod
  std::optional<DeleteOptions> delete_options;

  bool operator==(const Eviction&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
