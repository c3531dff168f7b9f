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
  static constexpr auto Fields() {
    return json::Object(json::Field("minAvailable", &PodDisruptionBudgetSpec::min_available),
                        json::Field("maxUnavailable", &PodDisruptionBudgetSpec::max_unavailable),
                        json::Field("selector", &PodDisruptionBudgetSpec::selector),
                        json::Field("unhealthyPodEvictionPolicy",
                                    &PodDisruptionBudgetSpec::unhealthy_pod_eviction_policy));
  }
};

struct PodDisruptionBudgetStatus {
  int64_t observed_generation = 0;
  // Pods whose eviction was granted but that are not gone yet.
  std::map<std::string, Time> disrupted_pods;
  int32_t disruptions_allowed = 0;
  int32_t current_healthy = 0;
  int32_t desired_healthy = 0;
  int32_t expected_pods = 0;

  bool operator==(const PodDisruptionBudgetStatus&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("observedGeneration", &PodDisruptionBudgetStatus::observed_generation),
        json::Field("disruptedPods", &PodDisruptionBudgetStatus::disrupted_pods),
        json::Field("disruptionsAllowed", &PodDisruptionBudgetStatus::disruptions_allowed),
        json::Field("currentHealthy", &PodDisruptionBudgetStatus::current_healthy),
        json::Field("desiredHealthy", &PodDisruptionBudgetStatus::desired_healthy),
        json::Field("expectedPods", &PodDisruptionBudgetStatus::expected_pods));
  }
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
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "policy/v1"),
                        json::Constant("kind", "PodDisruptionBudget"),
                        json::Field("metadata", &PodDisruptionBudget::metadata),
                        json::Field("spec", &PodDisruptionBudget::spec),
                        json::Field("status", &PodDisruptionBudget::status));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::PodDisruptionBudget);
